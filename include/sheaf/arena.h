// sheaf/arena.h - memory for pages
//
// Pages (sheaf/page.h) are views: their strings and lists live elsewhere, for example in an Arena. An Arena
// allocates memory in sequence and frees it all at once.
//
//     #include <sheaf/arena.h>
//
//     #include <string>
//
//     int main() {
//       sheaf::Arena arena;
//       for (int number = 0; number < 3; ++number) {
//         arena.clear();  // the memory is reused
//         const std::string_view title = arena.copy("Page " + std::to_string(number));
//         if (title.size() != 6) return 1;
//       }
//       return 0;
//     }
//
// Lifetimes: allocations are valid until clear() or until the arena is destroyed. Moving the arena does not
// invalidate them. Errors: std::bad_alloc. Threads: an arena may be used by one thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace sheaf {

/// A bump allocator: memory is allocated in sequence and freed all at once. `clear` keeps the memory, so a
/// loop over pages stops allocating after its largest page. Only for trivially destructible types.
class Arena {
 public:
  /// Invalidates all allocations. The memory is kept for reuse.
  void clear() {
    current_ = 0;
    used_ = 0;
  }

  /// Allocates `count` value-initialised elements.
  template <class T>
  std::span<T> array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (count == 0) return {};
    T* first = static_cast<T*>(allocate(count * sizeof(T), alignof(T)));
    std::uninitialized_value_construct_n(first, count);
    return {first, count};
  }

  /// A copy of one value.
  template <class T>
  T& make(T value = {}) {
    static_assert(std::is_trivially_destructible_v<T>);
    return *new (allocate(sizeof(T), alignof(T))) T(value);
  }

  /// A copy of a text.
  std::string_view copy(std::string_view text) {
    if (text.empty()) return "";
    char* first = static_cast<char*>(allocate(text.size(), 1));
    std::memcpy(first, text.data(), text.size());
    return {first, text.size()};
  }

  /// A copy of a list; what its elements point to is not copied.
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
  std::size_t used_ = 0;     ///< bytes used in that block
};

}  // namespace sheaf
