#pragma once

#include "sheaf/format/lines/line.h"

#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace sheaf::format {

/// A buffer of uncompressed bytes that passes through the stages; padded so that a line at its end can be
/// parsed in place.
struct Chunk {
  explicit Chunk(std::size_t size_limit)
      : memory(std::make_unique_for_overwrite<char[]>(size_limit + kLinePadding)), capacity(size_limit) {}

  [[nodiscard]] std::string_view bytes() const { return {memory.get(), size}; }

  /// Call this after writing the first `filled` bytes of `memory`.
  void set_size(std::size_t filled) {
    size = filled;
    std::memset(memory.get() + filled, 0, kLinePadding);
  }

  std::unique_ptr<char[]> memory;
  std::size_t capacity;
  std::size_t size = 0;
};

/// A limited number of reusable chunks. It bounds the memory: a stage that runs ahead waits here. A chunk is
/// allocated when it is first needed, and returns to the pool when its last shared_ptr is released. The pool
/// must outlive its chunks.
class ChunkPool {
 public:
  ChunkPool(std::size_t count, std::size_t capacity) : count_(count), capacity_(capacity) {
    free_.reserve(count);
  }

  /// Waits for a free chunk; null once the pool is closed.
  std::shared_ptr<Chunk> acquire() {
    std::unique_lock lock(mutex_);
    available_.wait(lock, [this] { return closed_ || !free_.empty() || chunks_.size() < count_; });
    if (closed_) return nullptr;
    if (free_.empty()) free_.push_back(chunks_.emplace_back(std::make_unique<Chunk>(capacity_)).get());
    Chunk* chunk = free_.back();
    free_.pop_back();
    return {chunk, [this](Chunk* returned) { release(returned); }};
  }

  /// Wakes the threads that wait for a chunk, so that they can end.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    available_.notify_all();
  }

 private:
  void release(Chunk* chunk) {
    const std::lock_guard lock(mutex_);
    free_.push_back(chunk);
    available_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable available_;
  std::size_t count_;
  std::size_t capacity_;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::vector<Chunk*> free_;
  bool closed_ = false;
};

}  // namespace sheaf::format
