#include "sheaf/format/json_text.h"
#include "sheaf/format/line_parser_internal.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::format {
namespace {

// A number far outside every field's range. Shorter than any number it stands in for.
constexpr std::string_view kHugeNumber = "9e99";
constexpr std::string_view kReplacement = "\\ufffd";

std::unexpected<Finding> stop(const Line& line, Code code, std::size_t at, std::string message) {
  return std::unexpected(Finding{code, line.number, line.offset + at, {}, std::move(message)});
}

bool is_inside_character(std::string_view text, std::size_t at) {
  return at < text.size() && (text[at] & '\xc0') == '\x80';
}

/// The size of the UTF-8 character at `at`, or 0 where there is none.
std::size_t character_size(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  const auto lead = static_cast<unsigned char>(text[at]);
  if (lead < 0x80) return 1;
  const std::size_t size = lead < 0xe0 ? 2 : (lead < 0xf0 ? 3 : 4);
  return size <= text.size() - at && simdjson::validate_utf8(text.data() + at, size) ? size : 0;
}

std::size_t first_bad_utf8(std::string_view text) {
  std::size_t at = 0;
  while (const std::size_t size = character_size(text, at)) at += size;
  return at;
}

}  // namespace

std::string_view describe(dom::element element) {
  switch (element.type()) {
    case dom::element_type::ARRAY: return "an array";
    case dom::element_type::OBJECT: return "an object";
    case dom::element_type::STRING: return "a string";
    case dom::element_type::BOOL: return "true or false";
    case dom::element_type::NULL_VALUE: return "null";
    default: return "a number";
  }
}

std::string excerpt(std::string_view text, std::size_t most) {
  const bool cut = text.size() > most;
  if (cut) {
    std::size_t end = most;
    while (end > 0 && is_inside_character(text, end)) --end;
    text = text.substr(0, end);
  }
  std::string out;
  append_json_string(out, text);
  if (cut) out += "...";
  return out;
}

simdjson::error_code LineParser::parse_with(dom::parser& parser, std::string_view text, std::size_t depth,
                                            dom::element& root) {
  if (parser.capacity() < text.size() || parser.max_depth() != depth) {
    // Grown by half at least, so that slowly growing lines do not allocate each time.
    const std::size_t wanted = std::max({text.size(), parser.capacity() + parser.capacity() / 2, 64 * kKiB});
    if (const auto error = parser.allocate(wanted, depth)) return error;
  }
  return parser.parse(text.data(), text.size(), false).get(root);
}

Read<std::optional<ParsedLine>> LineParser::parse(const Line& line, const FindingSink& sink) {
  dom::element root;
  // One less than the limit: simdjson counts an empty innermost container differently, so lines at the edge
  // go the exact way.
  if (parse_with(parser_, line.text, limits_.depth - 1, root) == simdjson::SUCCESS)
    return as_object(line, root, line.text);
  return parse_again(line, sink);
}

Read<std::optional<ParsedLine>> LineParser::parse_again(const Line& line, const FindingSink& sink) {
  if (!simdjson::validate_utf8(line.text.data(), line.text.size())) {
    const std::size_t at = first_bad_utf8(line.text);
    return stop(line, Code::not_utf8, at,
                fmt::format("byte {} of the line is not UTF-8 (0x{:02x})", at + 1,
                            static_cast<unsigned char>(line.text[at])));
  }
  const JsonCheck check = check_json(line.text);
  if (!check.valid) {
    const std::string found = check.error_offset < line.text.size()
                                  ? excerpt(line.text.substr(check.error_offset), 20)
                                  : std::string("the end of the line");
    return stop(line, Code::invalid_json, check.error_offset,
                fmt::format("not valid JSON: expected {} at byte {} of the line, found {}", check.expected,
                            check.error_offset + 1, found));
  }
  if (check.depth > limits_.depth) {
    sink({Code::too_deep,
          line.number,
          line.offset,
          {},
          fmt::format("JSON nested {} deep, the limit is {}; the page was skipped", check.depth,
                      limits_.depth)});
    return std::nullopt;
  }
  text_.assign(line.text);
  std::size_t surrogates = 0;
  for (const auto& place : check.unrepresentable) {
    if (place.kind != Unrepresentable::Kind::surrogate) continue;
    text_.replace(place.offset, place.length, kReplacement);
    if (++surrogates == 1)
      sink({Code::invalid_field,
            line.number,
            line.offset + place.offset,
            {},
            fmt::format("{} stands for half a character; replaced by U+FFFD",
                        line.text.substr(place.offset, place.length))});
  }
  parseable_ = text_;
  for (const auto& place : check.unrepresentable) {
    if (place.kind != Unrepresentable::Kind::number) continue;
    const std::size_t at = place.offset + (text_[place.offset] == '-' ? 1 : 0);
    parseable_.replace(at, place.offset + place.length - at, kHugeNumber);
    parseable_.insert(at + kHugeNumber.size(), place.offset + place.length - at - kHugeNumber.size(), ' ');
  }
  parseable_.append(kLinePadding, '\0');
  if (!roomy_parser_) roomy_parser_.emplace();
  dom::element root;
  const std::string_view parseable(parseable_.data(), parseable_.size() - kLinePadding);
  if (const auto error = parse_with(*roomy_parser_, parseable, limits_.depth + 2, root))
    return stop(line, Code::invalid_json, 0,
                fmt::format("not valid JSON: {}", simdjson::error_message(error)));
  auto parsed = as_object(line, root, surrogates > 0 ? std::string_view(text_) : line.text);
  if (parsed && *parsed) (*parsed)->repaired = surrogates > 0;
  return parsed;
}

Read<std::optional<ParsedLine>> LineParser::as_object(const Line& line, dom::element root,
                                                      std::string_view text) {
  if (!root.is_object())
    return stop(line, Code::not_an_object, 0,
                fmt::format("every line must be a JSON object, this one is {}", describe(root)));
  return ParsedLine{root.get_object().value_unsafe(), text, false};
}

}  // namespace sheaf::format
