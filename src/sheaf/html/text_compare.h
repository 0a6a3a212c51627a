#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sheaf::html {

/// Case of ASCII letters only; the standard knows no other folding.
enum class TextCase : std::uint8_t { exact, ignore };

/// HTML white space.
constexpr bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f'; }

constexpr char lower_ascii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 0x20) : c; }

constexpr bool equal_text(std::string_view a, std::string_view b, TextCase text_case) {
  if (a.size() != b.size()) return false;
  if (text_case == TextCase::exact) return a == b;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower_ascii(a[i]) != lower_ascii(b[i])) return false;
  return true;
}

/// Whether a list of words parted by white space has `word`.
constexpr bool has_word(std::string_view list, std::string_view word, TextCase text_case) {
  if (word.empty()) return false;
  for (std::size_t at = 0; at < list.size();) {
    if (is_space(list[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < list.size() && !is_space(list[end])) ++end;
    if (equal_text(list.substr(at, end - at), word, text_case)) return true;
    at = end;
  }
  return false;
}

}  // namespace sheaf::html
