#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

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

}  // namespace sheaf::http::fetch
