#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::format {

/// The text as a JSON string, with quotes. Invalid UTF-8 becomes U+FFFD.
std::string json_string(std::string_view text);

/// Builds one JSON value on one line, members in the order of the calls. A key with no data, as `{}` is,
/// makes an element of an array.
class JsonBuilder {
 public:
  JsonBuilder& begin_object(std::string_view key = {});
  JsonBuilder& end_object();
  JsonBuilder& begin_array(std::string_view key = {});
  JsonBuilder& end_array();
  JsonBuilder& string(std::string_view key, std::string_view value);
  /// Nothing for an empty value.
  JsonBuilder& optional(std::string_view key, std::string_view value);
  JsonBuilder& element(std::string_view value);
  JsonBuilder& number(std::string_view key, std::uint64_t value);
  JsonBuilder& decimal(std::string_view key, double value);
  JsonBuilder& boolean(std::string_view key, bool value);
  JsonBuilder& null(std::string_view key);
  /// Null for an empty value.
  JsonBuilder& string_or_null(std::string_view key, std::string_view value);
  JsonBuilder& raw(std::string_view key, std::string_view json);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  void begin(std::string_view key);

  std::string text_;
  bool is_first_ = true;
};

}  // namespace sheaf::format
