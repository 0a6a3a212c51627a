#pragma once

#include "sheaf/base/hash.h"
#include "sheaf/http/client_address.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace sheaf::http {

struct RateLimit {
  double requests_per_second = 0;  ///< 0: no limit
  double burst = 1;                ///< so many at once after a pause; at least 1
  std::size_t clients = 65'536;    ///< how many are remembered at a time
};

/// A token bucket for each client address (an IPv6 /64 is one client), in memory that is fixed at the start.
/// When more clients come than are remembered, the one whose bucket is fullest is forgotten, which forgives
/// it the least; where an entry lies depends on a random key, so nobody can choose whom to push out.
/// The clock is the caller's. Safe to call from several threads.
class RateLimiter {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit RateLimiter(const RateLimit& limit, base::HashKey key = base::HashKey::random());

  /// Takes a token. nullopt: the request may go on. Otherwise after how long one is there again.
  std::optional<std::chrono::milliseconds> take(const ClientAddress& client, Time now);

 private:
  struct Entry {
    ClientAddress key;
    std::int64_t full_at_ns = 0;  ///< when the bucket is full again; everything before `now` is full
    bool used = false;
  };
  static constexpr std::size_t kWays = 8;
  using Set = std::array<Entry, kWays>;

  Entry& find(Set& set, const ClientAddress& key, std::int64_t now);

  double interval_ns_;  ///< the time one token takes to come back
  double burst_;
  base::HashKey hash_key_;
  std::vector<Set> sets_;
  std::array<std::mutex, 64> locks_;  ///< of the sets with the same index modulo 64
};

}  // namespace sheaf::http
