#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace sheaf::format {

/// A growing byte buffer. Unlike std::string it gives access to uninitialised space; clearing it first would
/// dominate the time for a page of many short strings.
class ByteBuffer {
 public:
  [[nodiscard]] std::string_view view() const { return {data_.get(), size_}; }
  [[nodiscard]] std::size_t size() const { return size_; }
  void clear() { size_ = 0; }
  /// `size` must not be larger than the current size.
  void truncate(std::size_t size) { size_ = size; }

  /// Space for at least that many bytes after the end. Write to it, then call use(). Invalidates views.
  char* room(std::size_t count) {
    if (capacity_ - size_ < count) grow(count);
    return data_.get() + size_;
  }
  void use(std::size_t count) { size_ += count; }

  ByteBuffer& operator+=(char c) {
    *room(1) = c;
    ++size_;
    return *this;
  }
  ByteBuffer& operator+=(std::string_view text) {
    if (text.empty()) return *this;
    std::memcpy(room(text.size()), text.data(), text.size());
    size_ += text.size();
    return *this;
  }

 private:
  void grow(std::size_t count) {
    const std::size_t capacity = std::max(size_ + count, 2 * capacity_);
    auto data = std::make_unique_for_overwrite<char[]>(capacity);
    if (size_ > 0) std::memcpy(data.get(), data_.get(), size_);
    data_ = std::move(data);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace sheaf::format
