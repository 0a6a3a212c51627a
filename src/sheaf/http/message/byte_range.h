#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sheaf::http::message {

/// Bytes [first, first + length) of a representation; never empty.
struct ByteRange {
  std::uint64_t first = 0;
  std::uint64_t length = 0;

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

/// One range of a Range header, as requested.
struct RangeSpec {
  std::optional<std::uint64_t> first;  ///< nullopt: `last` is a suffix length, as in "-500"
  std::optional<std::uint64_t> last;   ///< nullopt: to the end, as in "500-"

  friend bool operator==(const RangeSpec&, const RangeSpec&) = default;
};

/// A request with more ranges than this gets the whole representation. Only attackers request many small
/// ranges (RFC 9110 17.15).
constexpr std::size_t kMaxRanges = 100;

/// Parses "bytes=0-99,-500" (RFC 9110 14.1). Returns nullopt for another unit, a malformed set, or more than
/// kMaxRanges ranges; the caller then ignores the header. Numbers saturate at 64 bits.
std::optional<std::vector<RangeSpec>> parse_range_header(std::string_view text);

/// The parts of `specs` that exist in a representation of `size` bytes, in the order requested. If any ranges
/// overlap, all are sorted and merged. Empty if no range can be satisfied.
std::vector<ByteRange> resolve_ranges(const std::vector<RangeSpec>& specs, std::uint64_t size);

}  // namespace sheaf::http::message
