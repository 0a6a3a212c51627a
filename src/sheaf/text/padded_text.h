#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
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
/// This is a view: the memory must outlive it. It has the size of two registers, so that calls pass it in
/// them: on the stack, where larger classes are passed, reading what was just written stalls the processor,
/// which took 2 % to 5 % of extraction.
class PaddedText {
 public:
  constexpr PaddedText() = default;
  /// Without padding: nothing after the text is read.
  template <std::convertible_to<std::string_view> Text>
  constexpr PaddedText(const Text& text) : PaddedText(std::string_view(text)) {}
  constexpr PaddedText(std::string_view text) : PaddedText(text, text.data() + text.size()) {}
  constexpr PaddedText(std::string_view text, const char* readable_end)
      : data_(text.data()), sizes_(text.size() | padding_bits(text.data() + text.size(), readable_end)) {}
  /// A text inside `memory`, all of which may be read.
  static constexpr PaddedText inside(std::string_view text, std::string_view memory) {
    return {text, memory.data() + memory.size()};
  }

  constexpr operator std::string_view() const { return view(); }
  [[nodiscard]] constexpr std::string_view view() const { return {data_, size()}; }
  [[nodiscard]] constexpr const char* data() const { return data_; }
  [[nodiscard]] constexpr const char* begin() const { return data_; }
  [[nodiscard]] constexpr const char* end() const { return data_ + size(); }
  [[nodiscard]] constexpr std::size_t size() const { return sizes_ % (std::uint64_t{1} << kSizeBits); }
  [[nodiscard]] constexpr bool empty() const { return size() == 0; }
  [[nodiscard]] constexpr char operator[](std::size_t at) const { return data_[at]; }

  /// A part of this text, with the padding of the whole. `begin` and `end` are pointers into it.
  [[nodiscard]] constexpr PaddedText part(const char* begin, const char* end) const {
    return {std::string_view(begin, end), readable_end()};
  }
  [[nodiscard]] constexpr PaddedText from(const char* begin) const { return part(begin, end()); }
  [[nodiscard]] constexpr PaddedText prefix(std::size_t size) const {
    return {view().substr(0, size), readable_end()};
  }

  /// Whether `bytes` bytes may be read at `at`, a pointer into the text.
  [[nodiscard]] constexpr bool can_read(const char* at, std::size_t bytes) const {
    return readable_end() - at >= static_cast<std::ptrdiff_t>(bytes);
  }

 private:
  // The size of the text, and above it how many bytes after it may be read, as far as that can be noted.
  static constexpr unsigned kSizeBits = 48;
  static constexpr std::ptrdiff_t kMostPadding = (1 << (64 - kSizeBits)) - 1;

  static constexpr std::uint64_t padding_bits(const char* end, const char* readable_end) {
    return static_cast<std::uint64_t>(std::min(readable_end - end, kMostPadding)) << kSizeBits;
  }
  [[nodiscard]] constexpr const char* readable_end() const { return end() + (sizes_ >> kSizeBits); }

  const char* data_ = nullptr;
  std::uint64_t sizes_ = 0;
};
static_assert(sizeof(PaddedText) == 16);

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
