#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::format {

/// Builds one JSON value on one line, with members in the order of the calls. Omit the key for the elements
/// of an array. Invalid UTF-8 in strings, such as a file name, becomes U+FFFD. For reports and messages;
/// pages are written by page_encoder.h.
class JsonWriter {
 public:
  JsonWriter& begin_object(std::string_view key = {});
  JsonWriter& end_object();
  JsonWriter& begin_array(std::string_view key = {});
  JsonWriter& end_array();
  JsonWriter& string(std::string_view key, std::string_view value);
  /// Omits the member if the value is empty.
  JsonWriter& optional(std::string_view key, std::string_view value);
  JsonWriter& element(std::string_view value);
  JsonWriter& number(std::string_view key, std::uint64_t value);
  JsonWriter& decimal(std::string_view key, double value, int digits = 2);
  JsonWriter& boolean(std::string_view key, bool value);
  JsonWriter& null(std::string_view key);
  /// `json` must be valid JSON.
  JsonWriter& raw(std::string_view key, std::string_view json);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// Discards the text so far, which the caller has written elsewhere. The value can be continued.
  void clear_text() { text_.clear(); }

 private:
  void begin(std::string_view key);

  std::string text_;
  bool is_first_ = true;
};

/// The text as a JSON string with its quotes. Invalid UTF-8 becomes U+FFFD.
std::string json_string(std::string_view text);

}  // namespace sheaf::format
