#include "sheaf/html/block_text.h"

#include "sheaf/html/text_compare.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace sheaf::html {
namespace {

// White space beyond HTML's own, and marks that show nothing: no-break space, the spaces of typography and
// the zero-width one (U+2000 to U+200B), line and paragraph separator, word joiner, ideographic space,
// byte-order mark. All are two or three bytes.
bool is_blank_sequence(std::string_view text) {
  if (text.size() == 2) return text == "\xC2\xA0";
  if (text == "\xE2\x80\xA8" || text == "\xE2\x80\xA9" || text == "\xE2\x81\xA0") return true;
  if (text == "\xE3\x80\x80" || text == "\xEF\xBB\xBF") return true;
  return text.starts_with("\xE2\x80") && static_cast<unsigned char>(text[2]) <= 0x8B;
}

std::size_t blank_at_front(std::string_view text) {
  if (is_space(text.front())) return 1;
  if (static_cast<unsigned char>(text.front()) < 0x80) return 0;
  for (const std::size_t size : {2U, 3U})
    if (text.size() >= size && is_blank_sequence(text.substr(0, size))) return size;
  return 0;
}

std::size_t blank_at_back(std::string_view text) {
  if (is_space(text.back())) return 1;
  if (static_cast<unsigned char>(text.back()) < 0x80) return 0;
  for (const std::size_t size : {2U, 3U})
    if (text.size() >= size && is_blank_sequence(text.substr(text.size() - size))) return size;
  return 0;
}

template <class T>
std::uint64_t load_little(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  if constexpr (std::endian::native == std::endian::big && sizeof value == 8) value = __builtin_bswap64(value);
  if constexpr (std::endian::native == std::endian::big && sizeof value == 4) value = __builtin_bswap32(value);
  return value;
}

/// The first `size` bytes, eight at most and one at least, as a number, the first lowest; letters after them.
std::uint64_t load_word(const char* bytes, std::size_t size) {
  constexpr std::uint64_t kLetters = 0x6161616161616161;
  if (size >= 8) return load_little<std::uint64_t>(bytes);
  // Loads that overlap: most texts are short, and copying so many bytes would wait for its own writes.
  const std::uint64_t word =
      size >= 4 ? load_little<std::uint32_t>(bytes) |
                      load_little<std::uint32_t>(bytes + size - 4) << (8 * (size - 4))
                : load_little<std::uint8_t>(bytes) |
                      load_little<std::uint8_t>(bytes + size / 2) << (8 * (size / 2)) |
                      load_little<std::uint8_t>(bytes + size - 1) << (8 * (size - 1));
  return word | kLetters << (8 * size);
}

/// How far the text goes on without white space that would have to change: nothing but spaces, no two in a
/// row, none at the end. Eight bytes at a time.
std::size_t plain_run(std::string_view text) {
  constexpr std::uint64_t kHigh = 0x8080808080808080;
  constexpr std::uint64_t kLow = ~kHigh;
  constexpr std::uint64_t kSpaces = 0x2020202020202020;
  constexpr std::uint64_t kAboveSpace = 0x5F5F5F5F5F5F5F5F;  // 0x80 - 0x21: sets the high bit from '!' up
  std::uint64_t blank_before = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::uint64_t word = load_word(text.data() + at, text.size() - at);
    // The high bit of each byte that is white space or a control character; ... that is a space.
    const std::uint64_t blank = ~(((word & kLow) + kAboveSpace) | word) & kHigh;
    const std::uint64_t other = word ^ kSpaces;
    const std::uint64_t space = ~(((other & kLow) + kLow) | other) & kHigh;
    const std::uint64_t bad = (blank & ~space) | (blank & ((blank << 8U) | blank_before));
    if (bad == 0) {
      blank_before = blank >> 56U;
      at += sizeof word;
      continue;
    }
    const std::size_t found = at + static_cast<std::size_t>(std::countr_zero(bad)) / 8;
    if (is_space(text[found])) return found > 0 && text[found - 1] == ' ' ? found - 1 : found;
    blank_before = 0;  // another control character is part of the text
    at = found + 1;
  }
  return text.ends_with(' ') ? text.size() - 1 : text.size();
}

std::size_t space_run(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

}  // namespace

std::string_view trim_blank(std::string_view text) {
  while (!text.empty()) {
    const std::size_t size = blank_at_front(text);
    if (size == 0) break;
    text.remove_prefix(size);
  }
  while (!text.empty()) {
    const std::size_t size = blank_at_back(text);
    if (size == 0) break;
    text.remove_suffix(size);
  }
  return text;
}

void collapse_space(std::string_view text, std::string& out) {
  out.clear();
  text = trim_blank(text);
  while (!text.empty()) {
    const std::size_t run = plain_run(text);
    out += text.substr(0, run);
    text.remove_prefix(run);
    if (text.empty()) break;
    text.remove_prefix(space_run(text));
    out += ' ';
  }
}

void TextBuffer::separate() {
  if (text_.empty() || (breaks_ == 0 && !space_)) {
    // Nothing is due, or nothing stands before it.
  } else if (breaks_ == 0 || style_ == BreakStyle::space) {
    text_ += ' ';
  } else {
    text_ += style_ == BreakStyle::paragraph && breaks_ > 1 ? "\n\n" : "\n";
  }
  breaks_ = 0;
  space_ = false;
}

void TextBuffer::append(std::string_view text) {
  while (!text.empty()) {
    if (const std::size_t spaces = space_run(text); spaces > 0) {
      space_ = true;
      text.remove_prefix(spaces);
      continue;
    }
    const std::size_t run = plain_run(text);
    separate();
    text_ += text.substr(0, run);
    text.remove_prefix(run);
  }
}

void TextBuffer::append_exact(std::string_view text) {
  separate();
  text_ += text;
}

void TextBuffer::cut(std::size_t at) {
  if (at >= text_.size()) return;
  if (text_[at] == '\n') {
    need_breaks(1);
  } else if (text_[at] == ' ') {
    space_ = true;
  }
  text_.resize(at);
}

void TextBuffer::replace_from(std::size_t at, std::string_view replacement) {
  text_.replace(at, std::string::npos, replacement);
}

}  // namespace sheaf::html
