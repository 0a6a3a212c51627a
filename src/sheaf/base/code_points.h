#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sheaf::base {

inline constexpr char32_t kReplacementCharacter = 0xFFFD;

/// Removes one code point from the front of `text`, which must not be empty, and returns it. Invalid UTF-8
/// gives U+FFFD, one per maximal subpart, as in the Encoding Standard.
char32_t take_code_point(std::string_view& text) noexcept;

/// Replaces invalid UTF-8 with U+FFFD.
std::string make_valid_utf8(std::string_view text);

void append_utf8(std::string& out, char32_t code_point);

/// Bidirectional embeddings, overrides and isolates. They can change how the following text is displayed.
constexpr bool is_bidi_control(char32_t c) {
  return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}
/// Bidirectional marks. They are common in ordinary Arabic and Hebrew text.
constexpr bool is_bidi_mark(char32_t c) { return c == 0x061C || c == 0x200E || c == 0x200F; }

/// The longest prefix of a UTF-8 text that fits into this many bytes without splitting a character.
constexpr std::string_view cut_utf8(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80) --most;
  return text.substr(0, most);
}

}  // namespace sheaf::base
