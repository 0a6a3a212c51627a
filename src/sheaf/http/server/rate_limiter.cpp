#include "sheaf/http/server/rate_limiter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>

namespace sheaf::http::server {
namespace {

std::int64_t nanoseconds_of(RateLimiter::Time time) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
}

}  // namespace

RateLimiter::RateLimiter(const RateLimit& limit, base::HashKey key)
    : interval_ns_(limit.requests_per_second > 0 ? 1e9 / limit.requests_per_second : 0),
      burst_(std::max(1.0, limit.burst)),
      hash_key_(key) {
  if (interval_ns_ > 0) sets_.resize(std::bit_ceil(std::max<std::size_t>(1, limit.clients / kWays)));
}

RateLimiter::Entry& RateLimiter::find(Set& set, const message::ClientAddress& key, std::int64_t now) {
  Entry* fullest = set.data();
  for (Entry& entry : set) {
    if (entry.used && entry.key == key) return entry;
    if (fullest->used && (!entry.used || entry.full_at_ns < fullest->full_at_ns)) fullest = &entry;
  }
  *fullest = {.key = key, .full_at_ns = now, .used = true};
  return *fullest;
}

std::optional<std::chrono::milliseconds> RateLimiter::take(const message::ClientAddress& client, Time time) {
  if (sets_.empty()) return std::nullopt;
  const message::ClientAddress key = client.rate_key();
  const std::string_view bytes(reinterpret_cast<const char*>(key.bytes.data()), key.bytes.size());
  const std::size_t index = base::keyed_hash(hash_key_, bytes) & (sets_.size() - 1);
  const std::lock_guard lock(locks_[index % locks_.size()]);
  const std::int64_t now = nanoseconds_of(time);
  Entry& entry = find(sets_[index], key, now);
  const std::int64_t full_at = std::max(entry.full_at_ns, now);
  // A bucket that will be full after time t has burst - t / interval tokens now. A request needs one token.
  const double wait_ns = static_cast<double>(full_at - now) + interval_ns_ - burst_ * interval_ns_;
  if (wait_ns > 0.5) return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(wait_ns / 1e6)));
  entry.full_at_ns = full_at + static_cast<std::int64_t>(interval_ns_);
  return std::nullopt;
}

}  // namespace sheaf::http::server
