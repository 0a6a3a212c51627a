#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sheaf::base {

/// Memory handed out in a row and taken back all at once. `clear` keeps the blocks, so that a loop over pages
/// stops allocating once it has seen its largest page. Holds only types that need no destructor.
class Arena {
 public:
  /// Everything handed out before becomes invalid; the memory is kept for the next round.
  void clear() {
    current_ = 0;
    used_ = 0;
  }

  template <class T>
  std::span<T> array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (count == 0) return {};
    T* first = static_cast<T*>(allocate(count * sizeof(T), alignof(T)));
    std::uninitialized_value_construct_n(first, count);
    return {first, count};
  }

  template <class T>
  T& make(T value = {}) {
    static_assert(std::is_trivially_destructible_v<T>);
    return *new (allocate(sizeof(T), alignof(T))) T(value);
  }

  std::string_view copy(std::string_view text) {
    if (text.empty()) return "";
    char* first = static_cast<char*>(allocate(text.size(), 1));
    std::memcpy(first, text.data(), text.size());
    return {first, text.size()};
  }

  template <class T>
  std::span<const T> copy(std::span<const T> values) {
    const std::span<T> result = array<T>(values.size());
    std::copy(values.begin(), values.end(), result.begin());
    return result;
  }

 private:
  struct Block {
    std::unique_ptr<std::byte[]> memory;
    std::size_t size = 0;
  };

  static constexpr std::size_t kBlockBytes = std::size_t{64} * 1024;

  void* allocate(std::size_t size, std::size_t alignment) {
    for (; current_ < blocks_.size(); ++current_, used_ = 0) {
      const std::size_t start = (used_ + alignment - 1) / alignment * alignment;
      if (start <= blocks_[current_].size && size <= blocks_[current_].size - start) {
        used_ = start + size;
        return blocks_[current_].memory.get() + start;
      }
    }
    const std::size_t block_size = std::max(size, kBlockBytes);
    blocks_.push_back({std::make_unique_for_overwrite<std::byte[]>(block_size), block_size});
    used_ = size;
    return blocks_.back().memory.get();
  }

  std::vector<Block> blocks_;
  std::size_t current_ = 0;  ///< block being filled
  std::size_t used_ = 0;     ///< bytes of it in use
};

}  // namespace sheaf::base
