#include "sheaf/settings/setting_list.h"

#include <toml_library.h>

#include <algorithm>
#include <sstream>

namespace sheaf::settings {
namespace {

template <class T>
std::string printed(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

std::string scalar_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* date = node.as_date()) return printed(date->get());
  if (const auto* time = node.as_date_time()) return printed(time->get());
  return {};
}

/// Recursion is bounded: the library rejects nesting deeper than 256, and kMaxDepth is lower.
// NOLINTNEXTLINE(misc-no-recursion)
bool add_node(const toml::node& node, SettingList& out, std::size_t depth) {
  if (depth > kMaxDepth) return true;
  if (const auto* table = node.as_table()) {
    for (const auto& [key, value] : *table) {
      out.path.enter(key.str());
      const bool fits = add_node(value, out, depth + 1);
      out.path.leave();
      if (!fits) return false;
    }
    return true;
  }
  if (const auto* list = node.as_array())
    return std::ranges::all_of(*list, [&](const toml::node& item) { return add_node(item, out, depth + 1); });
  const std::string value = scalar_of(node);
  return value.empty() || out.add(value);
}

/// Skips the string at the front of the text, which may end with the text.
void skip_string(std::string_view& text) {
  const char quote = text.front();
  const std::string_view rest = text.substr(1);
  const bool is_long = rest.size() >= 2 && rest[0] == quote && rest[1] == quote;
  const std::string end(is_long ? 3 : 1, quote);
  std::size_t at = end.size();
  while (at < text.size() && !text.substr(at).starts_with(end) && (is_long || text[at] != '\n'))
    at += quote == '"' && text[at] == '\\' ? 2 : 1;
  text.remove_prefix(std::min(at + end.size(), text.size()));
}

/// Whether a key such as a.b.c has too many parts. The library recurses into each, without a limit.
bool has_deep_key(std::string_view text) {
  std::size_t dots = 0;
  while (!text.empty() && dots <= kMaxDepth) {
    const char c = text.front();
    if (c == '"' || c == '\'') {
      skip_string(text);
      continue;
    }
    if (c == '#') text.remove_prefix(std::min(text.find('\n'), text.size() - 1));
    if (std::string_view("\n=,[]{}#").contains(c)) dots = 0;
    if (c == '.') ++dots;
    text.remove_prefix(1);
  }
  return dots > kMaxDepth;
}

}  // namespace

std::optional<Problem> read_toml(std::string_view text, SettingList& out) {
  if (has_deep_key(text)) return too_many_settings();
  const toml::parse_result parsed = toml::parse(text);
  if (parsed.failed()) {
    const auto line = std::max<toml::source_index>(parsed.error().source().begin.line, 1);
    return invalid(line - 1, std::string(parsed.error().description()));
  }
  if (!add_node(parsed.table(), out, 0)) return too_many_settings();
  return std::nullopt;
}

}  // namespace sheaf::settings
