#include "sheaf/format/json/json_builder.h"

#include "sheaf/base/code_points.h"
#include "sheaf/format/json/json_text.h"

#include <fmt/format.h>

namespace sheaf::format {

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, base::make_valid_utf8(text));  // file names may be invalid UTF-8
  return out;
}

void JsonBuilder::begin(std::string_view key) {
  if (!is_first_) text_ += ',';
  is_first_ = false;
  if (key.data() == nullptr) return;
  append_json_string(text_, key);
  text_ += ':';
}

JsonBuilder& JsonBuilder::begin_object(std::string_view key) {
  begin(key);
  text_ += '{';
  is_first_ = true;
  return *this;
}

JsonBuilder& JsonBuilder::end_object() {
  text_ += '}';
  is_first_ = false;
  return *this;
}

JsonBuilder& JsonBuilder::begin_array(std::string_view key) {
  begin(key);
  text_ += '[';
  is_first_ = true;
  return *this;
}

JsonBuilder& JsonBuilder::end_array() {
  text_ += ']';
  is_first_ = false;
  return *this;
}

JsonBuilder& JsonBuilder::string(std::string_view key, std::string_view value) {
  return raw(key, json_string(value));
}

JsonBuilder& JsonBuilder::optional(std::string_view key, std::string_view value) {
  return value.empty() ? *this : string(key, value);
}

JsonBuilder& JsonBuilder::element(std::string_view value) { return raw({}, json_string(value)); }

JsonBuilder& JsonBuilder::number(std::string_view key, std::uint64_t value) {
  return raw(key, fmt::format("{}", value));
}

JsonBuilder& JsonBuilder::decimal(std::string_view key, double value) {
  return raw(key, fmt::format("{:.2f}", value));
}

JsonBuilder& JsonBuilder::boolean(std::string_view key, bool value) {
  return raw(key, value ? "true" : "false");
}

JsonBuilder& JsonBuilder::null(std::string_view key) { return raw(key, "null"); }

JsonBuilder& JsonBuilder::string_or_null(std::string_view key, std::string_view value) {
  return value.empty() ? null(key) : string(key, value);
}

JsonBuilder& JsonBuilder::raw(std::string_view key, std::string_view json) {
  begin(key);
  text_ += json;
  return *this;
}

}  // namespace sheaf::format
