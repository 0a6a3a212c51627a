#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace sheaf::text {

/// A view of a text that also knows how many bytes after the text may be read (its padding).
///
/// Vector code reads blocks of 16 to 64 bytes, but most texts of a page are shorter. If more memory follows
/// (the rest of the page, or spare bytes of a buffer), one load and a mask replace a loop over bytes. The
/// bytes after the text never affect a result. Without padding, extraction takes 8 % longer.
///
/// The padding is not a fixed number of bytes as in simdjson's padded_string, because the texts of a page are
/// views of the caller's bytes: fixed padding would require a copy of every page.
///
/// The memory must outlive the view. The class has the size of two registers, so calls pass it in registers.
/// Larger classes are passed on the stack, where reading back what was just written stalls the processor;
/// that cost 2 % to 5 % of extraction.
class PaddedText {
 public:
  constexpr PaddedText() = default;
  /// A text without padding: no byte after it is read.
  template <std::convertible_to<std::string_view> Text>
  constexpr PaddedText(const Text& text) : PaddedText(std::string_view(text)) {}
  constexpr PaddedText(std::string_view text) : PaddedText(text, text.data() + text.size()) {}
  constexpr PaddedText(std::string_view text, const char* readable_end)
      : data_(text.data()), sizes_(text.size() | padding_bits(text.data() + text.size(), readable_end)) {}
  /// A text in a larger buffer: all of `memory` may be read.
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

  /// A part of this text. `begin` and `end` are pointers into it. All bytes that may be read after this text
  /// may also be read after the part.
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
  // `sizes_` has the size of the text in its low 48 bits, and the size of the padding, capped at
  // kMaxPadding, in its high 16 bits.
  static constexpr unsigned kSizeBits = 48;
  static constexpr std::ptrdiff_t kMaxPadding = (1 << (64 - kSizeBits)) - 1;

  static constexpr std::uint64_t padding_bits(const char* end, const char* readable_end) {
    return static_cast<std::uint64_t>(std::min(readable_end - end, kMaxPadding)) << kSizeBits;
  }
  [[nodiscard]] constexpr const char* readable_end() const { return end() + (sizes_ >> kSizeBits); }

  const char* data_ = nullptr;
  std::uint64_t sizes_ = 0;
};
static_assert(sizeof(PaddedText) == 16);

/// Number of bytes after the copy that copy_padded() may overwrite.
inline constexpr std::size_t kCopyPadding = 32;

/// Copies a text to a buffer that has room for the text and kCopyPadding more bytes. Most texts are a few
/// words, so a copy of fixed size is faster than one of variable size.
inline void copy_padded(PaddedText text, char* to) {
  if (text.size() <= kCopyPadding && text.can_read(text.data(), kCopyPadding)) {
    std::memcpy(to, text.data(), kCopyPadding);
  } else if (!text.empty()) {
    std::memcpy(to, text.data(), text.size());
  }
}

}  // namespace sheaf::text
