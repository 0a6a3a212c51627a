#include "sheaf/format/json/json_writer.h"

#include "sheaf/base/code_points.h"
#include "sheaf/format/json/json_text.h"

#include <fmt/format.h>

namespace sheaf::format {

void JsonWriter::begin(std::string_view key) {
  if (!is_first_) text_ += ',';
  is_first_ = false;
  if (key.data() == nullptr) return;
  append_json_string(text_, key);
  text_ += ':';
}

JsonWriter& JsonWriter::begin_object(std::string_view key) {
  begin(key);
  text_ += '{';
  is_first_ = true;
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  text_ += '}';
  is_first_ = false;
  return *this;
}

JsonWriter& JsonWriter::begin_array(std::string_view key) {
  begin(key);
  text_ += '[';
  is_first_ = true;
  return *this;
}

JsonWriter& JsonWriter::end_array() {
  text_ += ']';
  is_first_ = false;
  return *this;
}

JsonWriter& JsonWriter::string(std::string_view key, std::string_view value) {
  begin(key);
  append_json_string(text_, base::make_valid_utf8(value));
  return *this;
}

JsonWriter& JsonWriter::optional(std::string_view key, std::string_view value) {
  return value.empty() ? *this : string(key, value);
}

JsonWriter& JsonWriter::element(std::string_view value) { return string({}, value); }

JsonWriter& JsonWriter::number(std::string_view key, std::uint64_t value) {
  return raw(key, fmt::format("{}", value));
}

JsonWriter& JsonWriter::decimal(std::string_view key, double value, int digits) {
  return raw(key, fmt::format("{:.{}f}", value, digits));
}

JsonWriter& JsonWriter::boolean(std::string_view key, bool value) {
  return raw(key, value ? "true" : "false");
}

JsonWriter& JsonWriter::null(std::string_view key) { return raw(key, "null"); }

JsonWriter& JsonWriter::raw(std::string_view key, std::string_view json) {
  begin(key);
  text_ += json;
  return *this;
}

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, base::make_valid_utf8(text));
  return out;
}

}  // namespace sheaf::format
