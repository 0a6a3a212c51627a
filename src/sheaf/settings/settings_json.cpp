#include "sheaf/settings/setting_list.h"

#include <simdjson.h>

namespace sheaf::settings {
namespace {

std::string scalar_of(simdjson::dom::element value) {
  switch (value.type()) {
    case simdjson::dom::element_type::STRING: return std::string(value.get_string().value());
    case simdjson::dom::element_type::BOOL: return value.get_bool().value() ? "true" : "false";
    case simdjson::dom::element_type::INT64: return std::to_string(value.get_int64().value());
    case simdjson::dom::element_type::UINT64: return std::to_string(value.get_uint64().value());
    default: return {};
  }
}

/// Recursion is bounded by the maximum depth of the parser.
// NOLINTNEXTLINE(misc-no-recursion)
bool add_value(simdjson::dom::element value, SettingList& out) {
  simdjson::dom::object object;
  if (value.get(object) == simdjson::SUCCESS) {
    for (const auto [key, member] : object) {
      out.path.enter(key);
      const bool fits = add_value(member, out);
      out.path.leave();
      if (!fits) return false;
    }
    return true;
  }
  simdjson::dom::array array;
  if (value.get(array) == simdjson::SUCCESS) {
    for (const simdjson::dom::element item : array)
      if (!add_value(item, out)) return false;
    return true;
  }
  const std::string text = scalar_of(value);
  return text.empty() || out.add(text);
}

}  // namespace

std::optional<Problem> read_json(std::string_view text, SettingList& out) {
  simdjson::dom::parser parser;
  if (parser.allocate(text.size() + 1, kMaxDepth) != simdjson::SUCCESS) return invalid(0, "out of memory");
  const simdjson::padded_string padded(text);
  simdjson::dom::element root;
  const simdjson::error_code error = parser.parse(padded).get(root);
  if (error != simdjson::SUCCESS) return invalid(0, simdjson::error_message(error));
  if (!add_value(root, out)) return too_many_settings();
  return std::nullopt;
}

}  // namespace sheaf::settings
