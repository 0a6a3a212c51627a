#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace sheaf::base {

// Character classes for ASCII, as formats and protocols need them. Unlike <cctype>, these do not depend on
// the locale and accept every char.

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_alphanumeric(char c) { return is_letter(c) || is_digit(c); }
/// Space and tab: what separates the parts of one line.
constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }
/// White space of XML and JSON: also the two line ends.
constexpr bool is_xml_space(char c) { return is_blank(c) || c == '\n' || c == '\r'; }
/// White space of HTML: also the form feed.
constexpr bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'; }
/// Space and all C0 controls.
constexpr bool is_space_or_control(char c) { return static_cast<unsigned char>(c) <= ' '; }

template <bool (*IsTrimmed)(char)>
constexpr std::string_view trim_front(std::string_view text) {
  while (!text.empty() && IsTrimmed(text.front())) text.remove_prefix(1);
  return text;
}

template <bool (*IsTrimmed)(char)>
constexpr std::string_view trim(std::string_view text) {
  text = trim_front<IsTrimmed>(text);
  while (!text.empty() && IsTrimmed(text.back())) text.remove_suffix(1);
  return text;
}

// Remove such characters at both ends.
constexpr std::string_view trim_blanks(std::string_view text) { return trim<is_blank>(text); }
constexpr std::string_view trim_xml_space(std::string_view text) { return trim<is_xml_space>(text); }
constexpr std::string_view trim_space(std::string_view text) { return trim<is_space>(text); }

constexpr char lower_ascii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 0x20) : c; }

/// Converts letters to lower case; other characters are unchanged.
inline std::string lower_text(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), lower_ascii);
  return lower;
}

}  // namespace sheaf::base
