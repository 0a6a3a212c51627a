#pragma once

#include "sheaf/base/hash.h"
#include "sheaf/http/message/client_address.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace sheaf::http::server {

struct RateLimit {
  double requests_per_second = 0;  ///< 0: no limit
  double burst = 1;                ///< requests allowed at once after a pause; at least 1
  std::size_t clients = 65'536;    ///< number of clients tracked at a time
};

/// A token bucket per client address (an IPv6 /64 is one client), in a fixed amount of memory. If there are
/// more clients than entries, the fullest bucket is evicted: that client gains the least. The position of an
/// entry depends on a random key, so an attacker cannot choose whom to evict. The caller provides the clock.
/// Thread-safe.
class RateLimiter {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit RateLimiter(const RateLimit& limit, base::HashKey key = base::HashKey::random());

  /// Takes a token. Nullopt: the request is allowed. Otherwise the wait until the next token.
  std::optional<std::chrono::milliseconds> take(const message::ClientAddress& client, Time now);

 private:
  struct Entry {
    message::ClientAddress key;
    std::int64_t full_at_ns = 0;  ///< when the bucket will be full; a time in the past means that it is
    bool used = false;
  };
  static constexpr std::size_t kWays = 8;
  using Set = std::array<Entry, kWays>;

  Entry& find(Set& set, const message::ClientAddress& key, std::int64_t now);

  double interval_ns_;  ///< time to refill one token
  double burst_;
  base::HashKey hash_key_;
  std::vector<Set> sets_;
  std::array<std::mutex, 64> locks_;  ///< locks_[i] guards the sets whose index is i modulo 64
};

}  // namespace sheaf::http::server
