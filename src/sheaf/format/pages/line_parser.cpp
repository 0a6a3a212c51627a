#include "sheaf/base/free_memory.h"
#include "sheaf/format/json/json_text.h"
#include "sheaf/format/json/unsafe_url.h"
#include "sheaf/format/pages/line_parser_internal.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::format {
namespace {

// A number outside every field's range. It is shorter than any number that it replaces.
constexpr std::string_view kHugeNumber = "9e99";
constexpr std::string_view kReplacement = "\\ufffd";  // same length as the escape that it replaces
// Larger line buffers are freed after use.
constexpr std::size_t kLargeLine = 4 * kMiB;

std::unexpected<Finding> stop(const Line& line, Code code, std::size_t at, std::string message) {
  return std::unexpected(Finding{code, line.number, line.offset + at, {}, std::move(message)});
}

bool is_inside_character(std::string_view text, std::size_t at) {
  return at < text.size() && (text[at] & '\xc0') == '\x80';
}

/// The size of the UTF-8 character at `at`, or 0 if it is invalid.
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

bool has_unsafe_url(std::string_view name, dom::element value) {
  if (value.is_string()) return is_unsafe_url(name, value.get_string().value_unsafe());
  dom::object members;
  dom::array elements;
  if (value.get_object().get(members) == simdjson::SUCCESS) {
    for (const auto [key, member] : members)
      if (has_unsafe_url(key, member)) return true;
  } else if (value.get_array().get(elements) == simdjson::SUCCESS) {
    for (const auto element : elements)
      if (has_unsafe_url(name, element)) return true;
  }
  return false;
}

std::string unsafe_url_message(std::string_view where) {
  return fmt::format("{} has a URL that is not safe to follow, such as javascript: or data:; kept unchanged",
                     where);
}

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
  // Newer versions of simdjson skip a byte-order mark, which JSON does not have.
  if (text.starts_with("\xef\xbb\xbf")) return simdjson::TAPE_ERROR;
  if (parser.capacity() < text.size() || parser.max_depth() != depth) {
    // Grow by at least half, so that slowly growing lines do not allocate each time.
    const std::size_t wanted = std::max({text.size(), parser.capacity() + parser.capacity() / 2, 64 * kKiB});
    if (const auto error = parser.allocate(wanted, depth)) return error;
  }
  return parser.parse(text.data(), text.size(), false).get(root);
}

/// Frees the memory of a large line, so that it is not kept for the small lines after it.
void LineParser::release_large_buffers(std::size_t needed) {
  if (needed > kLargeLine) return;
  if (parser_.capacity() > kLargeLine) parser_ = dom::parser();
  if (deep_parser_ && deep_parser_->capacity() > kLargeLine) deep_parser_.reset();
  if (text_.capacity() > 2 * kLargeLine) base::free_storage(text_);
}

Read<std::optional<ParsedLine>> LineParser::parse(const Line& line, const FindingSink& sink) {
  release_large_buffers(line.text.size());
  // A line cannot have more values than bytes, so only large lines are counted.
  if (line.text.size() > limits_.values && most_json_values(line.text) > limits_.values)
    return parse_again(line, sink);
  dom::element root;
  // One less than the limit, because simdjson counts an empty innermost container differently. So lines at
  // the limit are checked again, exactly.
  if (parse_with(parser_, line.text, limits_.depth - 1, root) == simdjson::SUCCESS)
    return as_object(line, root, line.text);
  if (parser_.capacity() > kLargeLine) parser_ = dom::parser();
  return parse_again(line, sink);
}

Read<std::optional<ParsedLine>> LineParser::parse_again(const Line& line, const FindingSink& sink) {
  if (!simdjson::validate_utf8(line.text.data(), line.text.size())) {
    const std::size_t at = first_bad_utf8(line.text);
    return stop(line, Code::not_utf8, at,
                fmt::format("byte {} of the line is not UTF-8 (0x{:02x})", at + 1,
                            static_cast<unsigned char>(line.text[at])));
  }
  const JsonCheck check = check_json(line.text, limits_.values);
  if (!check.valid) {
    const std::string found = check.error_offset < line.text.size()
                                  ? excerpt(line.text.substr(check.error_offset), 20)
                                  : std::string("the end of the line");
    return stop(line, Code::invalid_json, check.error_offset,
                fmt::format("not valid JSON: expected {} at byte {} of the line, found {}", check.expected,
                            check.error_offset + 1, found));
  }
  const auto skip = [&](Code code, std::string message) {
    sink({code, line.number, line.offset, {}, std::move(message)});
    return std::nullopt;
  };
  if (check.depth > limits_.depth)
    return skip(Code::too_deep, fmt::format("JSON nested {} deep, the limit is {}; the page was skipped",
                                            check.depth, limits_.depth));
  if (check.values > limits_.values)
    return skip(Code::too_many_values, fmt::format("{} JSON values, the limit is {}; the page was skipped",
                                                   check.values, limits_.values));
  const std::size_t surrogates = repair(line, check, sink);
  const bool repaired = !check.unrepresentable.empty();
  const std::string_view parseable =
      repaired ? std::string_view(text_).substr(0, line.text.size()) : line.text;
  if (!deep_parser_) deep_parser_.emplace();
  dom::element root;
  if (const auto error = parse_with(*deep_parser_, parseable, limits_.depth + 2, root))
    return stop(line, Code::invalid_json, 0,
                fmt::format("not valid JSON: {}", simdjson::error_message(error)));
  // Restore the original numbers, which raw JSON keeps unchanged. The parsed object does not need the text:
  // simdjson has its own copy of every string.
  for (const auto& place : check.unrepresentable)
    if (place.kind == Unrepresentable::Kind::number)
      text_.replace(place.offset, place.length, line.text, place.offset, place.length);
  auto parsed = as_object(line, root, surrogates > 0 ? parseable : line.text);
  if (parsed && *parsed) (*parsed)->repaired = surrogates > 0;
  return parsed;
}

/// Copies the line to `text_`, and replaces the parts that simdjson cannot represent by text of the same
/// length. Returns the number of lone surrogates.
std::size_t LineParser::repair(const Line& line, const JsonCheck& check, const FindingSink& sink) {
  if (check.unrepresentable.empty()) return 0;
  text_.reserve(line.text.size() + kLinePadding);
  text_.assign(line.text).append(kLinePadding, '\0');
  std::size_t surrogates = 0;
  for (const auto& place : check.unrepresentable) {
    if (place.kind == Unrepresentable::Kind::surrogate) {
      text_.replace(place.offset, place.length, kReplacement);
      if (++surrogates == 1)
        sink({Code::invalid_field,
              line.number,
              line.offset + place.offset,
              {},
              fmt::format("{} is half of a surrogate pair; replaced by U+FFFD",
                          line.text.substr(place.offset, place.length))});
    } else {
      const std::size_t sign = text_[place.offset] == '-' ? 1 : 0;
      const std::size_t spaces = place.length - sign - kHugeNumber.size();
      text_.replace(place.offset + sign, kHugeNumber.size(), kHugeNumber);
      text_.replace(place.offset + sign + kHugeNumber.size(), spaces, spaces, ' ');
    }
  }
  return surrogates;
}

Read<std::optional<ParsedLine>> LineParser::as_object(const Line& line, dom::element root,
                                                      std::string_view text) {
  if (!root.is_object())
    return stop(line, Code::not_an_object, 0,
                fmt::format("every line must be a JSON object, this one is {}", describe(root)));
  return ParsedLine{root.get_object().value_unsafe(), text, false};
}

}  // namespace sheaf::format
