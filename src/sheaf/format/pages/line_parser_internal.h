#pragma once

#include "sheaf/format/finding.h"
#include "sheaf/format/json/json_text.h"
#include "sheaf/format/limits.h"
#include "sheaf/format/lines/line.h"

#include <simdjson.h>

#include <optional>
#include <string>
#include <string_view>

// Internal headers may name third-party types; they are not installed and only .cpp files of this folder
// include them.
namespace sheaf::format {

namespace dom = simdjson::dom;

struct ParsedLine {
  dom::object object;
  std::string_view text;  ///< the line, with lone surrogates already replaced
  bool repaired = false;  ///< `text` is not the line as it came
};

/// Proves that a line is a JSON object and parses it. What simdjson refuses is looked at again by
/// `check_json`: errors get their place and reason, and valid JSON that simdjson cannot hold (huge numbers,
/// lone surrogates) is read all the same. The result lives until the next call.
class LineParser {
 public:
  explicit LineParser(const Limits& limits) : limits_(limits) {}

  /// nullopt: nested too deep or too many values (reported to `sink`). Fatal: not_utf8, invalid_json,
  /// not_an_object.
  Read<std::optional<ParsedLine>> parse(const Line& line, const FindingSink& sink);

 private:
  simdjson::error_code parse_with(dom::parser& parser, std::string_view text, std::size_t depth,
                                  dom::element& root);
  Read<std::optional<ParsedLine>> parse_again(const Line& line, const FindingSink& sink);
  std::size_t repair(const Line& line, const JsonCheck& check, const FindingSink& sink);
  void release_large_buffers(std::size_t needed);
  static Read<std::optional<ParsedLine>> as_object(const Line& line, dom::element root,
                                                   std::string_view text);

  Limits limits_;
  dom::parser parser_;
  std::optional<dom::parser> roomy_parser_;  ///< for lines as deep as the limit allows
  std::string text_;                         ///< the line with what simdjson cannot hold replaced
};

/// "a string", "null", ...: what a value is, for messages.
std::string_view describe(dom::element element);

/// A string from outside in quotes, shortened and made fit for one line of a message.
std::string excerpt(std::string_view text, std::size_t most = 100);

}  // namespace sheaf::format
