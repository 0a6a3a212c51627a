#include "sheaf/http/fetch/host_gate.h"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
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

namespace {

using Time = WaitClock::Time;

struct HostState {
  unsigned under_way = 0;
  unsigned waiting = 0;
  bool is_long = false;  ///< a request is taking long, or the last one did
  std::chrono::milliseconds delay{0};
  Time next{};        ///< earliest start of the next request according to `delay`
  Time held_until{};  ///< earliest start according to Retry-After

  [[nodiscard]] Time opens() const { return std::max(next, held_until); }
};

}  // namespace

class HostGate::Impl {
 public:
  Impl(unsigned per_host, unsigned in_all, std::chrono::milliseconds long_after, WaitClock& clock)
      : per_host_(std::max(per_host, 1U)),
        in_all_(std::max(in_all, 1U)),
        long_after_(long_after),
        clock_(clock) {}

  void set_delay(std::string_view host, std::chrono::milliseconds delay) {
    const std::scoped_lock lock(mutex_);
    HostState& state = state_of(host);
    // The new delay counts from the start of the last request, as if it had been known then.
    if (state.next != Time{}) state.next += delay - state.delay;
    state.delay = delay;
    changed_.notify_all();
  }

  void hold(std::string_view host, std::chrono::milliseconds time) {
    const std::scoped_lock lock(mutex_);
    HostState& state = state_of(host);
    state.held_until = std::max(state.held_until, clock_.now() + time);
  }

  std::chrono::milliseconds held(std::string_view host) {
    const std::scoped_lock lock(mutex_);
    const auto found = hosts_.find(host);
    if (found == hosts_.end()) return std::chrono::milliseconds(0);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(found->second.held_until - clock_.now());
    return std::max(left, std::chrono::milliseconds(0));
  }

  bool enter(std::string_view host, const std::function<bool()>& cancelled) {
    std::unique_lock lock(mutex_);
    HostState& state = state_of(host);
    ++state.waiting;
    bool wanted = true;
    for (Time now = clock_.now(); !may_begin(state, now); now = clock_.now()) {
      wanted = !is_cancelled(lock, cancelled);
      if (!wanted) break;
      const WaitClock::Duration until_open = now < state.opens() ? state.opens() - now : kCancelInterval;
      clock_.wait(changed_, lock, std::min<WaitClock::Duration>(kCancelInterval, until_open));
    }
    --state.waiting;
    if (wanted) begin(state);
    return wanted;
  }

  void leave(std::string_view host, std::chrono::milliseconds took) {
    const std::scoped_lock lock(mutex_);
    const auto found = hosts_.find(host);
    if (found == hosts_.end() || found->second.under_way == 0) return;
    set_long(found->second, took >= long_after_);
    --found->second.under_way;
    --counter_of(found->second);
    if (is_forgettable(found->second)) hosts_.erase(found);
    changed_.notify_all();
  }

  void note_time(std::string_view host, std::chrono::milliseconds taken) {
    if (taken < long_after_) return;
    const std::scoped_lock lock(mutex_);
    const auto found = hosts_.find(host);
    if (found == hosts_.end() || found->second.is_long) return;
    set_long(found->second, true);
    changed_.notify_all();
  }

 private:
  /// The group of requests that this host's requests count against.
  unsigned& counter_of(const HostState& state) { return state.is_long ? long_under_way_ : under_way_; }

  void set_long(HostState& state, bool is_long) {
    counter_of(state) -= state.under_way;
    state.is_long = is_long;
    counter_of(state) += state.under_way;
  }

  /// References stay valid while entries are added. Only unused entries are removed.
  HostState& state_of(std::string_view host) {
    const auto found = hosts_.find(host);
    return found != hosts_.end() ? found->second
                                 : hosts_.emplace(std::string(host), HostState{}).first->second;
  }

  [[nodiscard]] bool may_begin(const HostState& state, Time now) const {
    const bool has_room = state.is_long ? long_under_way_ < std::max(in_all_ / 2, 1U) : under_way_ < in_all_;
    return has_room && state.under_way < per_host_ && now >= state.opens();
  }

  void begin(HostState& state) {
    ++state.under_way;
    ++counter_of(state);
    state.next = clock_.now() + state.delay;
  }

  /// The caller's function may take its own locks, so ours is released meanwhile.
  static bool is_cancelled(std::unique_lock<std::mutex>& lock, const std::function<bool()>& cancelled) {
    if (!cancelled) return false;
    lock.unlock();
    const bool result = cancelled();
    lock.lock();
    return result;
  }

  [[nodiscard]] bool is_forgettable(const HostState& state) const {
    return state.under_way == 0 && state.waiting == 0 && state.delay.count() == 0 && !state.is_long &&
           state.held_until <= clock_.now();
  }

  const unsigned per_host_;
  const unsigned in_all_;
  const std::chrono::milliseconds long_after_;
  WaitClock& clock_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, HostState, std::less<>> hosts_;
  unsigned under_way_ = 0;       ///< requests to hosts that do not take long
  unsigned long_under_way_ = 0;  ///< requests to hosts that take long
};

HostGate::HostGate(unsigned per_host, unsigned in_all, std::chrono::milliseconds long_after, WaitClock& clock)
    : impl_(std::make_unique<Impl>(per_host, in_all, long_after, clock)) {}
HostGate::~HostGate() = default;

void HostGate::set_delay(std::string_view host, std::chrono::milliseconds delay) {
  impl_->set_delay(host, delay);
}
void HostGate::hold(std::string_view host, std::chrono::milliseconds time) { impl_->hold(host, time); }
std::chrono::milliseconds HostGate::held(std::string_view host) const { return impl_->held(host); }
bool HostGate::enter(std::string_view host, const std::function<bool()>& cancelled) {
  return impl_->enter(host, cancelled);
}
void HostGate::leave(std::string_view host, std::chrono::milliseconds took) { impl_->leave(host, took); }
void HostGate::note_time(std::string_view host, std::chrono::milliseconds taken) {
  impl_->note_time(host, taken);
}

}  // namespace sheaf::http::fetch
