#pragma once

#include "sheaf/base/threads.h"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace sheaf::base {

/// A reorder buffer: several threads put numbered results in any order, and one thread takes them in the
/// order of their numbers. For threads that fetch their own work; if one thread distributes the work, use
/// OrderedPipeline.
template <class T>
class OrderedResults {
 public:
  explicit OrderedResults(std::size_t capacity) : slots_(capacity) {}

  /// Waits while `number` is `capacity` or more ahead of the results taken. Returns false if closed; the
  /// result is then dropped.
  bool put(std::uint64_t number, T result) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [&] { return closed_ || number < taken_ + slots_.size(); });
    if (closed_) return false;
    slots_[number % slots_.size()].emplace(std::move(result));
    if (number == taken_) next_.notify_one();
    return true;
  }

  /// Waits for the next result; nullopt if closed.
  std::optional<T> take() {
    std::unique_lock lock(mutex_);
    next_.wait(lock, [this] { return closed_ || slots_[taken_ % slots_.size()]; });
    if (closed_) return std::nullopt;
    std::optional<T> result = std::exchange(slots_[taken_ % slots_.size()], std::nullopt);
    ++taken_;
    room_.notify_all();
    return result;
  }

  /// Wakes all waiting threads and drops the remaining results.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    room_.notify_all();
    next_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable room_;
  std::condition_variable next_;
  std::vector<std::optional<T>> slots_;
  std::uint64_t taken_ = 0;
  bool closed_ = false;
};

/// One thread pushes inputs, several workers process them, and one thread takes the results in input order.
/// Only a few inputs per worker are in flight, so memory use does not depend on the number of inputs. If a
/// worker throws, next() rethrows the exception.
template <class Input, class Output>
class OrderedPipeline {
 public:
  /// Each thread calls `make_worker()`, which returns a function `Output worker(Input)`. There are fewer
  /// threads if the system allows no more; throws std::system_error if it allows none.
  template <class MakeWorker>
  OrderedPipeline(std::size_t workers, MakeWorker make_worker)
      : slots_(kUnderWayPerWorker * std::max<std::size_t>(workers, 1)) {
    start_threads(threads_, std::max<std::size_t>(workers, 1), 1, [this, make_worker] { work(make_worker); });
  }

  ~OrderedPipeline() {
    stop();
    threads_.clear();
  }
  OrderedPipeline(const OrderedPipeline&) = delete;
  OrderedPipeline& operator=(const OrderedPipeline&) = delete;

  /// Waits for room. Returns false if the pipeline was stopped or a worker failed; the input is then dropped.
  bool push(Input input) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return stopped_ || failure_ || pushed_ < taken_ + slots_.size(); });
    if (stopped_ || failure_) return false;
    slots_[pushed_ % slots_.size()].input.emplace(std::move(input));
    ++pushed_;
    inputs_.notify_one();
    return true;
  }

  /// Ends the input: next() returns nullopt after the last result.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    notify_all();
  }

  /// Stops all workers and drops queued inputs.
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    notify_all();
  }

  /// The number of inputs that can be in flight before push() waits.
  [[nodiscard]] std::size_t capacity() const { return slots_.size(); }

  /// Waits for the result of the next input. Returns nullopt after the last result.
  std::optional<Output> next() {
    std::unique_lock lock(mutex_);
    result_.wait(lock, [this] {
      return failure_ || stopped_ || slots_[taken_ % slots_.size()].output || (closed_ && taken_ == pushed_);
    });
    if (failure_) std::rethrow_exception(failure_);
    std::optional<Output>& slot = slots_[taken_ % slots_.size()].output;
    if (!slot) return std::nullopt;
    std::optional<Output> result = std::exchange(slot, std::nullopt);
    const bool was_full = pushed_ == taken_ + slots_.size();
    ++taken_;
    if (was_full) room_.notify_one();
    return result;
  }

 private:
  static constexpr std::size_t kUnderWayPerWorker = 4;

  struct Slot {
    std::optional<Input> input;
    std::optional<Output> output;
  };

  void notify_all() {
    room_.notify_all();
    inputs_.notify_all();
    result_.notify_all();
  }

  template <class MakeWorker>
  void work(MakeWorker make_worker) {
    try {
      auto worker = make_worker();
      std::unique_lock lock(mutex_);
      while (true) {
        inputs_.wait(lock, [this] { return stopped_ || failure_ || begun_ < pushed_ || closed_; });
        if (stopped_ || failure_ || begun_ == pushed_) return;
        const std::uint64_t number = begun_++;
        Slot& slot = slots_[number % slots_.size()];
        Input input = std::move(*slot.input);
        slot.input.reset();
        lock.unlock();
        Output output = worker(std::move(input));
        lock.lock();
        slot.output.emplace(std::move(output));
        if (number == taken_) result_.notify_one();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
      notify_all();
    }
  }

  std::mutex mutex_;
  // There is one condition variable per role, because with small inputs needless wake-ups would cost more
  // than the work itself.
  std::condition_variable room_;    ///< for the producer
  std::condition_variable inputs_;  ///< for the workers
  std::condition_variable result_;  ///< for the consumer
  std::vector<Slot> slots_;
  std::uint64_t pushed_ = 0;
  std::uint64_t begun_ = 0;
  std::uint64_t taken_ = 0;
  bool closed_ = false;
  bool stopped_ = false;
  std::exception_ptr failure_;
  std::vector<std::jthread> threads_;
};

/// Pushes the inputs that `produce()` returns (std::optional<Input>) until it returns nullopt, and passes
/// each result to `use`. Both functions are called on the calling thread.
template <class Input, class Output, class Produce, class Use>
void run_pipeline(OrderedPipeline<Input, Output>& pipeline, Produce produce, Use use) {
  std::size_t under_way = 0;
  for (bool more = true; more || under_way > 0;) {
    while (more && under_way < pipeline.capacity()) {
      std::optional<Input> input = produce();
      more = input.has_value();
      if (!more) break;
      pipeline.push(std::move(*input));
      ++under_way;
    }
    if (under_way == 0) return;
    std::optional<Output> output = pipeline.next();
    if (!output) return;  // stopped
    use(std::move(*output));
    --under_way;
  }
}

}  // namespace sheaf::base
