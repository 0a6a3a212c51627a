#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>

namespace sheaf::http::fetch {

/// Longest time a waiting thread sleeps before it checks for cancellation.
inline constexpr std::chrono::milliseconds kCancelInterval{100};

/// The clock for pauses, delays and deadlines of requests: the system's clock, or one that tests advance, so
/// that they need not wait. Thread-safe.
class WaitClock {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  virtual ~WaitClock() = default;
  [[nodiscard]] virtual Time now() const = 0;
  virtual void sleep(Duration time) = 0;
  /// Waits until `changed` is notified, but no longer than `time`. May return early.
  virtual void wait(std::condition_variable& changed, std::unique_lock<std::mutex>& lock, Duration time) = 0;

  static WaitClock& system();
};

/// Waits for `time`. Returns false as soon as `cancelled` returns true. `cancelled` may be empty.
bool wait_unless_cancelled(std::chrono::milliseconds time, const std::function<bool()>& cancelled,
                           WaitClock& clock = WaitClock::system());

/// Limits the number of concurrent requests, per host and in total, and the delay between requests to one
/// host. Shared by all fetchers of a process. Thread-safe.
///
/// Slow hosts cannot occupy all connections. A request that has taken longer than `long_after` no longer
/// counts against `in_all`. A host whose last request took that long starts another only while fewer than
/// half of `in_all` such requests are under way.
class HostGate {
 public:
  HostGate(unsigned per_host, unsigned in_all,
           std::chrono::milliseconds long_after = std::chrono::seconds(30),
           WaitClock& clock = WaitClock::system());
  ~HostGate();
  HostGate(const HostGate&) = delete;
  HostGate& operator=(const HostGate&) = delete;

  /// Sets the minimum delay between requests to the host ("example.com:443").
  void set_delay(std::string_view host, std::chrono::milliseconds delay);
  /// Sends no request to the host for this long (Retry-After).
  void hold(std::string_view host, std::chrono::milliseconds time);
  /// Remaining time of hold(); zero if the host is not on hold.
  [[nodiscard]] std::chrono::milliseconds held(std::string_view host) const;

  /// Waits until a request to the host may begin. Returns false when `cancelled`, polled several times a
  /// second, returns true. Every enter() that returned true needs its leave().
  bool enter(std::string_view host, const std::function<bool()>& cancelled);
  /// `took` is the duration of the request.
  void leave(std::string_view host, std::chrono::milliseconds took = {});
  /// Call this periodically during a request, with its duration so far.
  void note_time(std::string_view host, std::chrono::milliseconds taken);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf::http::fetch
