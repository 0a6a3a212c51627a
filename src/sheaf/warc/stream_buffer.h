#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace sheaf::warc {

/// A byte buffer that does not clear its memory. It has room behind the bytes for more, and in front of them
/// for the rest of a previous buffer. So a buffer of newly decoded bytes can replace the current one, and
/// only the unread rest has to be copied.
class StreamBuffer {
 public:
  StreamBuffer() = default;
  /// Creates an empty buffer with room for `front` bytes in front and `behind` bytes behind.
  StreamBuffer(std::size_t front, std::size_t behind)
      : memory_(std::make_unique_for_overwrite<char[]>(front + behind)),
        capacity_(front + behind),
        begin_(front),
        end_(front) {}

  [[nodiscard]] std::string_view bytes() const { return {memory_.get() + begin_, end_ - begin_}; }
  [[nodiscard]] std::size_t size() const { return end_ - begin_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  /// The room behind the bytes.
  [[nodiscard]] std::span<char> room() { return {memory_.get() + end_, capacity_ - end_}; }

  /// Counts bytes that were written to the start of room().
  void add(std::size_t count) { end_ += count; }
  /// Removes bytes from the front.
  void drop(std::size_t count) { begin_ += count; }
  /// Makes the buffer empty, with room for `front` bytes in front.
  void clear(std::size_t front) { begin_ = end_ = front; }

  /// Ensures room for `size` more bytes behind. May move the bytes.
  void make_room(std::size_t size) {
    if (capacity_ - end_ >= size) return;
    const std::size_t count = end_ - begin_;
    // Moves at most as many bytes as were dropped before, so all moves together cost no more than one copy.
    if (begin_ >= count && capacity_ - count >= size) {
      if (count > 0) std::memcpy(memory_.get(), memory_.get() + begin_, count);
    } else {
      StreamBuffer larger(0, std::max(2 * capacity_, count + size));
      if (count > 0) std::memcpy(larger.memory_.get(), memory_.get() + begin_, count);
      std::swap(memory_, larger.memory_);
      std::swap(capacity_, larger.capacity_);
    }
    begin_ = 0;
    end_ = count;
  }

  void append(std::string_view bytes) {
    make_room(bytes.size());
    if (!bytes.empty()) std::memcpy(memory_.get() + end_, bytes.data(), bytes.size());
    end_ += bytes.size();
  }

  /// Prepends bytes. Returns false if there is no room for them in front.
  bool prepend(std::string_view bytes) {
    if (bytes.size() > begin_) return false;
    begin_ -= bytes.size();
    if (!bytes.empty()) std::memcpy(memory_.get() + begin_, bytes.data(), bytes.size());
    return true;
  }

 private:
  std::unique_ptr<char[]> memory_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace sheaf::warc
