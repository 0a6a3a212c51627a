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
  bool repaired = false;  ///< `text` differs from the original line
};

/// Uses simdjson's DOM parser: the On-Demand parser does not validate what it skips.
///
/// Checks that a line is a JSON object and parses it. If simdjson refuses the line, `check_json` checks it
/// again: errors get a position and a reason, and valid JSON that simdjson cannot represent (huge numbers,
/// lone surrogates) is accepted. The result is valid until the next call.
class LineParser {
 public:
  explicit LineParser(const Limits& limits) : limits_(limits) {}

  /// Returns nullopt if the line is nested too deep or has too many values (reported to `sink`). Fatal
  /// findings: not_utf8, invalid_json, not_an_object.
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
  std::optional<dom::parser> deep_parser_;  ///< for lines as deep as the limit allows
  std::string text_;                        ///< the line with unrepresentable parts replaced
};

/// Whether a value of member `name`, or a value in it, is an unsafe URL (format/json/unsafe_url.h).
bool has_unsafe_url(std::string_view name, dom::element value);

/// The message of a finding unsafe_url_kept. `where` is the part that has the URL.
std::string unsafe_url_message(std::string_view where);

/// The type of a value for messages: "a string", "null", ...
std::string_view describe(dom::element element);

/// An untrusted string in quotes, shortened and made safe for one line of a message.
std::string excerpt(std::string_view text, std::size_t most = 100);

}  // namespace sheaf::format
