#include "sheaf/settings/toml_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml_library.h>

#include <algorithm>

namespace sheaf::settings {
namespace {

constexpr std::size_t kMaxTomlBytes = std::size_t{1} << 20U;

/// Recursion is bounded: the library rejects nesting deeper than 256.
// NOLINTNEXTLINE(misc-no-recursion)
TomlValue to_value(const toml::node& node) {
  TomlValue value;
  value.line = node.source().begin.line;
  if (const auto* text = node.as_string()) {
    value.kind = TomlValue::Kind::text;
    value.text = text->get();
  } else if (const auto* number = node.as_integer()) {
    value.kind = TomlValue::Kind::number;
    value.number = number->get();
  } else if (const auto* flag = node.as_boolean()) {
    value.kind = TomlValue::Kind::flag;
    value.flag = flag->get();
  } else if (const auto* list = node.as_array()) {
    value.kind = TomlValue::Kind::list;
    for (const toml::node& item : *list) value.items.push_back(to_value(item));
  } else if (const auto* table = node.as_table()) {
    value.kind = TomlValue::Kind::table;
    for (const auto& [name, member] : *table) {
      value.members.push_back(to_value(member));
      value.members.back().name = name.str();
    }
  }
  return value;
}

}  // namespace

const TomlValue* TomlValue::find(std::string_view wanted) const {
  const auto found = std::ranges::find(members, wanted, &TomlValue::name);
  return found == members.end() ? nullptr : &*found;
}

base::Result<TomlValue> parse_toml(std::string_view text, const std::string& file) {
  if (text.size() > kMaxTomlBytes)
    return base::fail(base::Errc::invalid_argument, fmt::format("{} is over 1 MiB", file));
  const toml::parse_result parsed = toml::parse(text, file);
  if (!parsed)
    return base::fail(base::Errc::invalid_argument,
                      fmt::format("{}:{}: {}", file, parsed.error().source().begin.line,
                                  std::string_view(parsed.error().description())));
  return to_value(parsed.table());
}

void TomlReader::wrong(const TomlValue& value, std::string_view what) {
  if (error_) return;
  error_ = base::Error{base::Errc::invalid_argument, value.line > 0
                                                         ? fmt::format("{}:{}: {}", file_, value.line, what)
                                                         : fmt::format("{}: {}", file_, what)};
}

void TomlReader::allow(const TomlValue& table, std::initializer_list<std::string_view> names) {
  for (const TomlValue& value : table.members)
    if (std::ranges::find(names, value.name) == names.end())
      wrong(value, fmt::format("`{}` is not known here; known are: {}", value.name, fmt::join(names, ", ")));
}

std::string TomlReader::text(const TomlValue& table, std::string_view name) {
  const TomlValue* value = table.find(name);
  if (value == nullptr) return {};
  if (value->kind != TomlValue::Kind::text) wrong(*value, fmt::format("`{}` must be a text in quotes", name));
  return value->text;
}

std::vector<std::string> TomlReader::texts(const TomlValue& table, std::string_view name) {
  const TomlValue* value = table.find(name);
  std::vector<std::string> list;
  if (value == nullptr) return list;
  if (value->kind == TomlValue::Kind::text) return {value->text};
  if (value->kind != TomlValue::Kind::list) wrong(*value, fmt::format("`{}` must be a list of texts", name));
  for (const TomlValue& item : value->items) {
    if (item.kind != TomlValue::Kind::text) wrong(item, fmt::format("`{}` must be a list of texts", name));
    list.push_back(item.text);
  }
  return list;
}

std::optional<std::int64_t> TomlReader::number(const TomlValue& table, std::string_view name,
                                               std::int64_t least, std::int64_t most) {
  const TomlValue* value = table.find(name);
  if (value == nullptr) return std::nullopt;
  if (value->kind == TomlValue::Kind::number && value->number >= least && value->number <= most)
    return value->number;
  wrong(*value, fmt::format("`{}` must be a whole number from {} to {}", name, least, most));
  return std::nullopt;
}

}  // namespace sheaf::settings
