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
constexpr char lower_ascii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 0x20) : c; }

/// Converts letters to lower case; other characters are unchanged.
inline std::string lower_text(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), lower_ascii);
  return lower;
}

}  // namespace sheaf::base
