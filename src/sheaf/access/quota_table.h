#pragma once

#include "sheaf/access/access_decision.h"
#include "sheaf/base/hash.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <vector>

namespace sheaf::access {

/// Counts what clients have used of their quotas, in a fixed amount of memory. If there are more clients than
/// entries, an entry of an earlier period is evicted, or else the one with the fewest requests: its client
/// gains the least. The position of an entry depends on a random key, so a client cannot choose whom to
/// evict. Thread-safe.
class QuotaTable {
 public:
  static constexpr std::size_t kClients = 65'536;

  explicit QuotaTable(std::size_t clients = kClients, base::HashKey key = base::HashKey::random());

  /// Identifies a client under a rule. Rules are identified by name, so that counters survive a change of the
  /// policy file.
  [[nodiscard]] std::uint64_t key_of(std::string_view rule, std::string_view client) const;

  /// Counts a request. Returns what the client had used before it in the period of `now`.
  QuotaUse count_request(std::uint64_t key, const Quota& quota, std::int64_t now);
  void add_bytes(std::uint64_t key, const Quota& quota, std::int64_t now, std::uint64_t bytes);

 private:
  struct Entry {
    std::uint64_t key = 0;
    std::int64_t begin = -1;  ///< start of the period; -1: not in use
    QuotaUse used;
  };
  static constexpr std::size_t kWays = 8;
  using Set = std::array<Entry, kWays>;

  static Entry& find(Set& set, std::uint64_t key, std::int64_t begin);

  base::HashKey hash_key_;
  std::vector<Set> sets_;
  std::array<std::mutex, 64> locks_;  ///< locks_[i] guards the sets whose index is i modulo 64
};

}  // namespace sheaf::access
