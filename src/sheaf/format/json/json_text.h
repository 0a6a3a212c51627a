#pragma once

#include "sheaf/format/json/byte_buffer.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::format {

// simdjson parses our lines but keeps no positions. Parts that must be kept byte for byte (unknown members,
// `schema`, the position of the checksum in line 1) are located in the text by these two iterators. They
// require valid JSON, which the parser has checked before.

struct RawMember {
  std::string_view key;    ///< the text between its quotes, escapes not decoded
  std::string_view value;  ///< the JSON text of the value
  std::size_t begin = 0;   ///< of the member, from its key's opening quote, within the object's text
  std::size_t end = 0;     ///< just past its value
};

/// The members of a JSON object's text, in order.
class RawObject {
 public:
  explicit RawObject(std::string_view text);
  bool next(RawMember& member);

 private:
  std::string_view text_;
  std::size_t at_;
};

/// The elements of a JSON array's text, in order.
class RawArray {
 public:
  explicit RawArray(std::string_view text);
  bool next(std::string_view& element);

 private:
  std::string_view text_;
  std::size_t at_;
};

/// A position in a JSON text that is valid by the grammar but that simdjson cannot represent.
struct Unrepresentable {
  enum class Kind : std::uint8_t { number, surrogate };
  Kind kind;
  std::size_t offset;
  std::size_t length;
};

struct JsonCheck {
  bool valid = false;
  std::size_t error_offset = 0;
  std::string_view expected;  ///< if invalid: what was expected there
  std::size_t depth = 0;      ///< deepest nesting of arrays and objects
  /// Values and member names; an escape of a lone surrogate counts too.
  std::size_t values = 0;
  std::vector<Unrepresentable> unrepresentable;  ///< never more than `values`
};

/// Checks a text against the JSON grammar (RFC 8259) at any depth, with one bit of memory per level. Slow but
/// exact: explains what simdjson refused. Numbers that do not fit a double or 64-bit integer, and escapes of
/// lone surrogates, are valid here; the first `most_listed` of them are listed.
JsonCheck check_json(std::string_view text, std::size_t most_listed = SIZE_MAX);

/// An upper bound for the values that check_json would count. Fast, because it does not track strings.
std::size_t most_json_values(std::string_view text);

/// Appends `text` as a JSON string with its quotes. Escapes only what the grammar requires; other UTF-8 is
/// copied.
void append_json_string(ByteBuffer& out, std::string_view text);
void append_json_string(std::string& out, std::string_view text);

/// Appends a JSON text with control and invisible characters as \\u escapes: DEL, C1 and the bidirectional
/// controls (JSON cannot contain C0). The value is the same.
void append_visible_json(std::string& out, std::string_view json);

}  // namespace sheaf::format
