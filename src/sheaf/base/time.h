#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::base {

/// A point in time, good for the years 0000 to 9999 of RFC 3339 (std::chrono's nanoseconds end in 2262).
struct Instant {
  std::int64_t seconds = 0;       ///< since 1970-01-01T00:00:00Z, negative before it
  std::uint32_t nanoseconds = 0;  ///< 0 to 999,999,999

  friend auto operator<=>(const Instant&, const Instant&) = default;
};

enum class Offset : std::uint8_t { given, missing };

struct ParsedTime {
  Instant instant;
  Offset offset = Offset::given;  ///< `missing`: a naive time, read as UTC
};

/// RFC 3339 with any offset, any number of fraction digits (cut at nanoseconds), lower-case t and z, and
/// second 60 read as 59. A time without an offset is read as UTC and says so. Anything else: nullopt. Never
/// allocates.
std::optional<ParsedTime> parse_time(std::string_view text) noexcept;

/// UTC with `Z`, whole seconds unless the instant has finer ones: 2026-01-15T00:00:00Z,
/// 2026-01-15T00:00:00.25Z. Always a time that parses: an instant outside the years 0000 to 9999, where an
/// offset can put one, is written as the nearest inside.
std::string format_time(Instant instant);

Instant now();

}  // namespace sheaf::base
