#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace sheaf::http {

/// Bytes [first, first + length) of a representation; never empty.
struct ByteRange {
  std::uint64_t first = 0;
  std::uint64_t length = 0;

  friend bool operator==(const ByteRange&, const ByteRange&) = default;
};

/// One element of a Range header as it was asked for.
struct RangeSpec {
  std::optional<std::uint64_t> first;  ///< none: `last` is a suffix length, "-500"
  std::optional<std::uint64_t> last;   ///< none: to the end, "500-"

  friend bool operator==(const RangeSpec&, const RangeSpec&) = default;
};

/// A request that names more ranges than this gets the whole representation: nobody needs so many, and each
/// costs us a part (RFC 9110 17.15).
constexpr std::size_t kMostRanges = 100;

/// "bytes=0-99,-500" (RFC 9110 14.1). nullopt for another unit, a malformed set, or more than kMostRanges:
/// the header is then ignored. Numbers too large for 64 bits count as the largest one.
std::optional<std::vector<RangeSpec>> parse_range_header(std::string_view text);

/// What of `specs` there is in a representation of `size` bytes, in the order asked for; ranges that overlap
/// are merged, which needs them in order of place. Empty: none can be satisfied.
std::vector<ByteRange> resolve_ranges(const std::vector<RangeSpec>& specs, std::uint64_t size);

}  // namespace sheaf::http
