#pragma once

#include <string>
#include <string_view>

namespace sheaf::site {

/// Untrusted text for a message: shortened, and without terminal control characters.
std::string quote(std::string_view text);

constexpr bool is_xml_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

constexpr std::string_view trim_front(std::string_view text) {
  while (!text.empty() && is_xml_space(text.front())) text.remove_prefix(1);
  return text;
}

constexpr std::string_view trim(std::string_view text) {
  text = trim_front(text);
  while (!text.empty() && is_xml_space(text.back())) text.remove_suffix(1);
  return text;
}

/// Whether two texts are equal, ignoring ASCII case.
bool same_letters(std::string_view a, std::string_view b) noexcept;

}  // namespace sheaf::site
