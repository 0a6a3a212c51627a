#include "sheaf/http/fetch/cancellable_wait.h"

#include <algorithm>
#include <thread>

namespace sheaf::http::fetch {
namespace {

class SystemClock final : public WaitClock {
 public:
  [[nodiscard]] Time now() const override { return std::chrono::steady_clock::now(); }
  void sleep(Duration time) override { std::this_thread::sleep_for(time); }
  void wait(std::condition_variable& changed, std::unique_lock<std::mutex>& lock, Duration time) override {
    changed.wait_for(lock, time);
  }
};

}  // namespace

WaitClock& WaitClock::system() {
  static SystemClock clock;
  return clock;
}

bool wait_unless_cancelled(std::chrono::milliseconds time, const std::function<bool()>& cancelled,
                           WaitClock& clock) {
  const WaitClock::Time end = clock.now() + time;
  for (WaitClock::Time now = clock.now(); now < end; now = clock.now()) {
    if (cancelled && cancelled()) return false;
    clock.sleep(std::min<WaitClock::Duration>(kCancelInterval, end - now));
  }
  return true;
}

}  // namespace sheaf::http::fetch
