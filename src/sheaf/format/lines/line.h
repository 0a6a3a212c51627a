#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::format {

/// simdjson reads ahead of what it parses; a line's buffer is readable this far past its end.
constexpr std::size_t kLinePadding = 64;

/// One line of a collection without its line feed, followed by kLinePadding readable bytes.
struct Line {
  std::string_view text;
  std::uint64_t number = 0;  ///< from 1
  std::uint64_t offset = 0;  ///< of its first byte in the uncompressed file
  bool has_line_feed = true;
  bool too_large = false;  ///< over the limit: `text` is empty, the line was skipped
};

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

/// Lines of a file together with their memory, so that another thread can decode them.
class LineBatch {
 public:
  [[nodiscard]] std::span<const Line> lines() const { return lines_; }
  [[nodiscard]] bool is_empty() const { return lines_.empty(); }
  /// Whether its only line is in the reader's memory, and so valid only until the next call of the reader.
  /// Large lines are not copied.
  [[nodiscard]] bool borrows_from_reader() const { return borrows_from_reader_; }
  /// The chunk that has all lines that are neither copied nor borrowed.
  [[nodiscard]] const std::shared_ptr<Chunk>& chunk() const { return chunk_; }

  /// Releases the lines, and sets the chunk for the next ones.
  void reset(std::shared_ptr<Chunk> chunk) {
    lines_.clear();
    chunk_ = std::move(chunk);
    borrows_from_reader_ = false;
  }

  /// Adds a line of the chunk.
  void add(const Line& line) { lines_.push_back(line); }
  /// Adds a copy of a line that is not in the chunk. Only the first line may be a copy.
  void add_copy(Line line) {
    copy_.reserve(line.text.size() + kLinePadding);
    copy_.assign(line.text).append(kLinePadding, '\0');
    line.text = std::string_view(copy_).substr(0, line.text.size());
    lines_.push_back(line);
  }
  /// Adds a line without copying it. It must be the only line.
  void borrow(const Line& line) {
    lines_.push_back(line);
    borrows_from_reader_ = true;
  }

 private:
  std::vector<Line> lines_;
  std::shared_ptr<Chunk> chunk_;
  std::string copy_;
  bool borrows_from_reader_ = false;
};

}  // namespace sheaf::format
