#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace sheaf::cli {

/// Does the jobs 0 to count - 1 on several threads and hands out their results in order. Jobs begin in order
/// too, and none while more than a few finished ones wait for an earlier one, so memory does not depend on
/// their number. An exception in a job comes out of next(). The destructor drops jobs that have not begun.
template <class Result>
class OrderedWork {
 public:
  /// `make_worker()` gives each thread a function of its own that does one job: Result worker(index).
  template <class MakeWorker>
  OrderedWork(std::size_t count, std::size_t threads, MakeWorker make_worker)
      : count_(count), slots_(kWaitingPerThread * std::max<std::size_t>(threads, 1)) {
    for (std::size_t i = 0; i < std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(count, 1)); ++i)
      threads_.emplace_back([this, make_worker] { work(make_worker); });
  }

  ~OrderedWork() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
  }
  OrderedWork(const OrderedWork&) = delete;
  OrderedWork& operator=(const OrderedWork&) = delete;

  /// The result of the next job; nullopt after the last.
  std::optional<Result> next() {
    std::unique_lock lock(mutex_);
    if (taken_ == count_) return std::nullopt;
    std::optional<Result>& slot = slots_[taken_ % slots_.size()];
    changed_.wait(lock, [&] { return slot.has_value() || failure_; });
    if (failure_) std::rethrow_exception(failure_);
    std::optional<Result> result = std::exchange(slot, std::nullopt);
    ++taken_;
    changed_.notify_all();
    return result;
  }

 private:
  static constexpr std::size_t kWaitingPerThread = 2;

  template <class MakeWorker>
  void work(MakeWorker make_worker) {
    try {
      auto worker = make_worker();
      while (const std::optional<std::size_t> job = take_job()) {
        Result result = worker(*job);
        const std::lock_guard lock(mutex_);
        slots_[*job % slots_.size()] = std::move(result);
        changed_.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      changed_.notify_all();
    }
  }

  std::optional<std::size_t> take_job() {
    std::unique_lock lock(mutex_);
    changed_.wait(
        lock, [this] { return stopped_ || failure_ || begun_ == count_ || begun_ < taken_ + slots_.size(); });
    if (stopped_ || failure_ || begun_ == count_) return std::nullopt;
    return begun_++;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t count_;
  std::size_t begun_ = 0;
  std::size_t taken_ = 0;
  std::vector<std::optional<Result>> slots_;  // of finished jobs, by number
  bool stopped_ = false;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;  // last: they use all of the above
};

}  // namespace sheaf::cli
