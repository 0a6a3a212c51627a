#include "sheaf/http/message/conditional.h"

#include "sheaf/http/message/message.h"

#include <algorithm>
#include <limits>

namespace sheaf::http::message {
namespace {

/// etagc: any visible character except the quote, and non-ASCII bytes.
bool is_tag_char(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && byte != 0x7F && c != '"';
}

/// Removes one tag from the front of `text`.
std::optional<EntityTag> take_tag(std::string_view& text) {
  EntityTag tag;
  std::string_view rest = text;
  if (rest.starts_with("W/")) {
    tag.weak = true;
    rest.remove_prefix(2);
  }
  if (!rest.starts_with('"')) return std::nullopt;
  rest.remove_prefix(1);
  std::size_t length = 0;
  while (length < rest.size() && is_tag_char(rest[length])) ++length;
  if (length == rest.size() || rest[length] != '"') return std::nullopt;
  tag.opaque = rest.substr(0, length);
  text = rest.substr(length + 1);
  return tag;
}

}  // namespace

std::optional<EntityTag> parse_entity_tag(std::string_view text) noexcept {
  const auto tag = take_tag(text);
  return text.empty() ? tag : std::nullopt;
}

std::optional<TagList> parse_tag_list(std::string_view text) {
  text = trim_blanks(text);
  if (text == "*") return TagList{.any = true, .tags = {}};
  TagList list;
  while (!text.empty()) {
    if (text.front() != ',') {
      const auto tag = take_tag(text);
      if (!tag) return std::nullopt;
      list.tags.push_back(*tag);
      text = trim_blanks(text);
      if (text.empty()) break;
      if (text.front() != ',') return std::nullopt;
    }
    text = trim_blanks(text.substr(1));
  }
  if (list.tags.empty()) return std::nullopt;
  return list;
}

namespace {

constexpr std::uint64_t kMaxOffset = std::numeric_limits<std::uint64_t>::max();

/// `text` as a number, saturating at the maximum. Nullopt if it is empty or contains anything but digits.
std::optional<std::uint64_t> parse_position(std::string_view text) {
  if (text.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto digit = static_cast<std::uint64_t>(c - '0');
    value = value > (kMaxOffset - digit) / 10 ? kMaxOffset : value * 10 + digit;
  }
  return value;
}

std::optional<RangeSpec> parse_spec(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const std::string_view first = text.substr(0, dash);
  const std::string_view last = text.substr(dash + 1);
  const RangeSpec spec{parse_position(first), parse_position(last)};
  if ((!spec.first && !first.empty()) || (!spec.last && !last.empty())) return std::nullopt;
  if (!spec.first && !spec.last) return std::nullopt;
  if (spec.first && spec.last && *spec.first > *spec.last) return std::nullopt;
  return spec;
}

std::optional<ByteRange> resolve(const RangeSpec& spec, std::uint64_t size) {
  if (!spec.first) {
    const std::uint64_t length = std::min(*spec.last, size);
    if (length == 0) return std::nullopt;
    return ByteRange{size - length, length};
  }
  if (*spec.first >= size) return std::nullopt;
  const std::uint64_t last = std::min(spec.last.value_or(kMaxOffset), size - 1);
  return ByteRange{*spec.first, last - *spec.first + 1};
}

bool any_overlap(std::vector<ByteRange> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](auto& a, auto& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i].first < ranges[i - 1].first + ranges[i - 1].length) return true;
  return false;
}

std::vector<ByteRange> merged(std::vector<ByteRange> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](auto& a, auto& b) { return a.first < b.first; });
  std::vector<ByteRange> out;
  for (const ByteRange& range : ranges) {
    if (out.empty() || range.first > out.back().first + out.back().length) {
      out.push_back(range);
      continue;
    }
    const std::uint64_t end = std::max(out.back().first + out.back().length, range.first + range.length);
    out.back().length = end - out.back().first;
  }
  return out;
}

}  // namespace

std::optional<std::vector<RangeSpec>> parse_range_header(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || !equal_ignoring_case(text.substr(0, equals), "bytes"))
    return std::nullopt;
  std::vector<RangeSpec> specs;
  std::string_view rest = text.substr(equals + 1);
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view element = trim_blanks(rest.substr(0, comma));
    if (!element.empty()) {
      const auto spec = parse_spec(element);
      if (!spec || specs.size() == kMaxRanges) return std::nullopt;
      specs.push_back(*spec);
    }
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (specs.empty()) return std::nullopt;
  return specs;
}

std::vector<ByteRange> resolve_ranges(const std::vector<RangeSpec>& specs, std::uint64_t size) {
  std::vector<ByteRange> ranges;
  for (const RangeSpec& spec : specs)
    if (const auto range = resolve(spec, size)) ranges.push_back(*range);
  return any_overlap(ranges) ? merged(std::move(ranges)) : ranges;
}

namespace {

enum class Comparison : std::uint8_t { strong, weak };

/// Whether the list of tags matches the representation. A malformed list matches nothing.
bool names(std::string_view list_text, const Representation& representation, Comparison comparison) {
  const auto list = parse_tag_list(list_text);
  if (!list) return false;
  if (list->any) return true;
  const auto own = parse_entity_tag(representation.entity_tag);
  if (!own) return false;
  return std::any_of(list->tags.begin(), list->tags.end(), [&](const EntityTag& tag) {
    return comparison == Comparison::strong ? equal_strongly(tag, *own) : equal_weakly(tag, *own);
  });
}

/// The date of a field that may occur only once. Nullopt, hence no condition, if it is malformed.
std::optional<std::int64_t> date_of(const Fields& fields, std::string_view name, std::int64_t now) {
  if (fields.count(name) != 1) return std::nullopt;
  return parse_http_date(trim_blanks(fields.first(name)), now);
}

bool precondition_failed(const Fields& fields, const Representation& representation, std::int64_t now) {
  if (fields.count("If-Match") > 0)
    return !names(fields.joined("If-Match"), representation, Comparison::strong);
  const auto since = date_of(fields, "If-Unmodified-Since", now);
  return since && representation.last_modified && *representation.last_modified > *since;
}

bool is_current(const Fields& fields, const Representation& representation, std::int64_t now) {
  if (fields.count("If-None-Match") > 0)
    return names(fields.joined("If-None-Match"), representation, Comparison::weak);
  const auto since = date_of(fields, "If-Modified-Since", now);
  return since && representation.last_modified && *representation.last_modified <= *since;
}

/// Whether the client's partial copy is a copy of our representation. RFC 9110 13.1.5 requires a strong,
/// exact match.
bool range_still_applies(const Fields& fields, const Representation& representation, std::int64_t now) {
  const std::size_t count = fields.count("If-Range");
  if (count == 0) return true;
  if (count > 1) return false;
  const std::string_view value = trim_blanks(fields.first("If-Range"));
  if (const auto tag = parse_entity_tag(value)) {
    const auto own = parse_entity_tag(representation.entity_tag);
    return own && equal_strongly(*tag, *own);
  }
  const auto date = parse_http_date(value, now);
  return date && representation.last_modified && *date == *representation.last_modified && *date < now;
}

Decision decide_range(const Fields& fields, const Representation& representation, std::int64_t now) {
  Decision decision;
  if (fields.count("Range") != 1 || !range_still_applies(fields, representation, now)) return decision;
  const auto specs = parse_range_header(trim_blanks(fields.first("Range")));
  if (!specs) return decision;
  // No Content-Range can describe a part of an empty representation. A suffix of it is the whole
  // representation, so the status is 200.
  const bool only_suffixes = std::all_of(specs->begin(), specs->end(),
                                         [](const RangeSpec& spec) { return !spec.first && *spec.last > 0; });
  if (representation.size == 0 && only_suffixes) return decision;
  decision.ranges = resolve_ranges(*specs, representation.size);
  decision.status = decision.ranges.empty() ? 416 : 206;
  return decision;
}

}  // namespace

Decision decide(Method method, const Fields& fields, const Representation& representation, std::int64_t now) {
  if (precondition_failed(fields, representation, now)) return {412, {}};
  if (is_current(fields, representation, now)) return {304, {}};
  if (method != Method::get) return {};
  return decide_range(fields, representation, now);
}

}  // namespace sheaf::http::message
