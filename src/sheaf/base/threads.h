#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace sheaf::base {

/// Starts up to `count` threads that run `work`. The system may allow fewer (ulimit -u, TasksMax): throws
/// std::system_error if it cannot start `least` of them.
template <class Work>
void start_threads(std::vector<std::jthread>& threads, std::size_t count, std::size_t least, Work work) {
  for (std::size_t i = 0; i < count; ++i) {
    try {
      threads.emplace_back(work);
    } catch (const std::system_error&) {
      if (i < least) throw;
      return;
    }
  }
}

/// Passes values from one thread to another and holds at most `capacity` of them. After close(), the consumer
/// can drain the queue, and new values are dropped.
template <class T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t capacity) : BoundedQueue(capacity, 1) {}
  /// A producer that waits for a full queue is woken only when there is room for `wake_for` values, so a fast
  /// producer is not woken for each value.
  BoundedQueue(std::size_t capacity, std::size_t wake_for)
      : capacity_(capacity), waking_size_(capacity - wake_for) {}

  /// Waits for room. Returns false if the queue is closed; the value is then dropped.
  bool push(T value) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return closed_ || values_.size() < capacity_; });
    if (closed_) return false;
    values_.push_back(std::move(value));
    filled_.notify_one();
    return true;
  }

  /// Pushes without waiting. Returns false if there is no room or the queue is closed; `value` is then
  /// unchanged.
  bool try_push(T& value) {
    const std::lock_guard lock(mutex_);
    if (closed_ || values_.size() >= capacity_) return false;
    values_.push_back(std::move(value));
    filled_.notify_one();
    return true;
  }

  /// Whether push() would return without waiting. With one producer, the answer holds until its next push.
  bool has_room() {
    const std::lock_guard lock(mutex_);
    return closed_ || values_.size() < capacity_;
  }

  /// Pops without waiting; nullopt if the queue is empty.
  std::optional<T> try_pop() {
    const std::lock_guard lock(mutex_);
    if (values_.empty()) return std::nullopt;
    std::optional<T> value(std::move(values_.front()));
    values_.pop_front();
    if (values_.size() <= waking_size_) room_.notify_one();
    return value;
  }

  /// Waits for a value; nullopt if the queue is closed and empty.
  std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [this] { return closed_ || !values_.empty(); });
    if (values_.empty()) return std::nullopt;
    std::optional<T> value(std::move(values_.front()));
    values_.pop_front();
    if (values_.size() <= waking_size_) room_.notify_one();
    return value;
  }

  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    filled_.notify_all();
    room_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::condition_variable room_;
  std::deque<T> values_;
  std::size_t capacity_;
  std::size_t waking_size_;  ///< the producer is woken when at most this many values are left
  bool closed_ = false;
};

}  // namespace sheaf::base
