#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sheaf::base {

inline constexpr char32_t kReplacementCharacter = 0xFFFD;

/// Takes one code point off the front of `text`, which must not be empty. Bytes that are not UTF-8 come out
/// as U+FFFD, one for each maximal part of a sequence, as the Encoding Standard's decoder has it.
char32_t take_code_point(std::string_view& text) noexcept;

/// The whole text as code points; never fails, see take_code_point.
std::u32string decode_utf8(std::string_view text);

/// The text with U+FFFD in place of what is no UTF-8.
std::string make_valid_utf8(std::string_view text);

void append_utf8(std::string& out, char32_t code_point);

/// The beginning of a UTF-8 text, at most that many bytes, without a character cut in two.
constexpr std::string_view cut_utf8(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80) --most;
  return text.substr(0, most);
}

}  // namespace sheaf::base
