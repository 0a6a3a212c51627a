#pragma once

#include "sheaf/base/ascii.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sheaf::text {

/// Whether comparisons ignore the case of ASCII letters. The HTML standard uses no other case folding.
enum class TextCase : std::uint8_t { exact, ignore };

using base::is_space;
using base::lower_ascii;
using base::trim_space;

constexpr bool equal_text(std::string_view a, std::string_view b, TextCase text_case) {
  if (a.size() != b.size()) return false;
  if (text_case == TextCase::exact) return a == b;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (lower_ascii(a[i]) != lower_ascii(b[i])) return false;
  return true;
}

/// Removes and returns the first word of a list of words separated by white space; empty at the end.
constexpr std::string_view take_word(std::string_view& list) {
  std::size_t begin = 0;
  while (begin < list.size() && is_space(list[begin])) ++begin;
  std::size_t end = begin;
  while (end < list.size() && !is_space(list[end])) ++end;
  const std::string_view word = list.substr(begin, end - begin);
  list.remove_prefix(end);
  return word;
}

/// Whether a list of words separated by white space has `word`.
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

}  // namespace sheaf::text
