#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <string_view>

namespace sheaf::text {

/// A text, and how many bytes of memory after it may be read.
///
/// Vector code reads blocks of 16 to 64 bytes, and most texts of a page are shorter than that. Where more
/// memory follows (the rest of the page, spare bytes of a buffer), one load and a mask do the work of a loop
/// over bytes; the bytes after the text never change a result. Without padding extraction takes 8 % longer.
///
/// Texts of a page are views of the caller's bytes, so the padding cannot be a fixed number of bytes as in
/// simdjson's padded_string: that would take a copy of every page.
///
/// This is a view: the memory must outlive it.
class PaddedText {
 public:
  constexpr PaddedText() = default;
  /// Without padding: nothing after the text is read.
  template <std::convertible_to<std::string_view> Text>
  constexpr PaddedText(const Text& text) : PaddedText(std::string_view(text)) {}
  constexpr PaddedText(std::string_view text) : PaddedText(text, text.data() + text.size()) {}
  constexpr PaddedText(std::string_view text, const char* readable_end)
      : data_(text.data()), size_(text.size()), readable_end_(readable_end) {}
  /// A text inside `memory`, all of which may be read.
  static constexpr PaddedText inside(std::string_view text, std::string_view memory) {
    return {text, memory.data() + memory.size()};
  }

  constexpr operator std::string_view() const { return {data_, size_}; }
  [[nodiscard]] constexpr std::string_view view() const { return {data_, size_}; }
  [[nodiscard]] constexpr const char* data() const { return data_; }
  [[nodiscard]] constexpr const char* begin() const { return data_; }
  [[nodiscard]] constexpr const char* end() const { return data_ + size_; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr char operator[](std::size_t at) const { return data_[at]; }

  /// A part of this text, with the padding of the whole. `begin` and `end` are pointers into it.
  [[nodiscard]] constexpr PaddedText part(const char* begin, const char* end) const {
    return {std::string_view(begin, end), readable_end_};
  }
  [[nodiscard]] constexpr PaddedText from(const char* begin) const { return part(begin, end()); }
  [[nodiscard]] constexpr PaddedText prefix(std::size_t size) const {
    return {view().substr(0, size), readable_end_};
  }

  /// Whether `bytes` bytes may be read at `at`, a pointer into the text.
  [[nodiscard]] constexpr bool can_read(const char* at, std::size_t bytes) const {
    return readable_end_ - at >= static_cast<std::ptrdiff_t>(bytes);
  }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  const char* readable_end_ = nullptr;
};

/// Space that copy_padded() needs after the copy.
inline constexpr std::size_t kCopyPadding = 32;

/// Copies a text to a buffer with space for it and kCopyPadding more bytes. Most texts are a few words, so a
/// copy of fixed size is faster than one that depends on their size.
inline void copy_padded(PaddedText text, char* to) {
  if (text.size() <= kCopyPadding && text.can_read(text.data(), kCopyPadding)) {
    std::memcpy(to, text.data(), kCopyPadding);
  } else if (!text.empty()) {
    std::memcpy(to, text.data(), text.size());
  }
}

}  // namespace sheaf::text
