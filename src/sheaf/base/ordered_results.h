#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
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

}  // namespace sheaf::base
