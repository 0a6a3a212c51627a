#pragma once

#include "sheaf/http/message/message.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::http::message {

/// An entity tag of RFC 9110 8.8.3: `"opaque"` or `W/"opaque"`. `opaque` is without its quotes and borrows
/// the text it was read from.
struct EntityTag {
  std::string_view opaque;
  bool weak = false;
};

/// Parses a text that is exactly one tag; nullopt otherwise.
std::optional<EntityTag> parse_entity_tag(std::string_view text) noexcept;

/// The value of If-Match or If-None-Match.
struct TagList {
  bool any = false;  ///< it was "*"
  std::vector<EntityTag> tags;
};

/// Empty list elements are skipped (RFC 9110 5.6.1). Nullopt if the text is not a list of tags: a tag without
/// quotes, "*" among tags, or an empty list.
std::optional<TagList> parse_tag_list(std::string_view text);

/// Strong comparison: both tags are strong and their opaque parts are equal.
inline bool equal_strongly(const EntityTag& a, const EntityTag& b) {
  return !a.weak && !b.weak && a.opaque == b.opaque;
}
inline bool equal_weakly(const EntityTag& a, const EntityTag& b) { return a.opaque == b.opaque; }

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

/// The properties of a representation that conditional and range requests depend on.
struct Representation {
  std::uint64_t size = 0;
  std::string entity_tag = {};                     ///< a strong tag with its quotes; empty if there is none
  std::optional<std::int64_t> last_modified = {};  ///< seconds since 1970
};

/// How a request for an existing representation is answered.
struct Decision {
  unsigned status = 200;          ///< 200, 206, 304, 412 or 416
  std::vector<ByteRange> ranges;  ///< for 206: one, or several for a multipart answer
};

/// Evaluates the preconditions and ranges of a GET or HEAD request (RFC 9110 13.2.2 and 14.2). `now` is the
/// time of the response: a Last-Modified within a second of it is not a strong validator, so If-Range ignores
/// it.
Decision decide(Method method, const Fields& fields, const Representation& representation, std::int64_t now);

}  // namespace sheaf::http::message
