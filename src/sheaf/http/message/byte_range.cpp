#include "sheaf/http/message/byte_range.h"

#include "sheaf/http/message/message.h"

#include <algorithm>
#include <limits>

namespace sheaf::http::message {
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

}  // namespace sheaf::http::message
