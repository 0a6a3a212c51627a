// sheaf/time.h - points in time, as RFC 3339 writes them
//
//     #include <sheaf/time.h>
//
//     #include <cstdio>
//
//     int main() {
//       const auto parsed = sheaf::parse_time("2026-03-01T10:00:00+02:00");
//       if (!parsed) return 1;
//       std::printf("%s\n", sheaf::format_time(parsed->instant).c_str());  // 2026-03-01T08:00:00Z
//       return parsed->instant < sheaf::now() ? 0 : 1;
//     }
//
// Errors: parse_time() returns nullopt if the text is not a time. Threads: all functions are thread-safe.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf {

/// A point in time in the years 0000 to 9999, the range of RFC 3339. (64 bits of nanoseconds, as std::chrono
/// has them, would end in the year 2262.)
struct Instant {
  std::int64_t seconds = 0;       ///< since 1970-01-01T00:00:00Z, negative before it
  std::uint32_t nanoseconds = 0;  ///< 0 to 999,999,999

  friend auto operator<=>(const Instant&, const Instant&) = default;
};

/// Whether a time states its offset from UTC.
enum class Offset : std::uint8_t { given, missing };

/// What parse_time() read.
struct ParsedTime {
  Instant instant;
  Offset offset = Offset::given;  ///< `missing`: a naive time, read as UTC
};

/// Parses an RFC 3339 time. Accepts any offset, any number of fraction digits (truncated to nanoseconds) and
/// lower-case t and z. Second 60 is read as 59. A time without an offset is read as UTC, with
/// Offset::missing. Returns nullopt for anything else. Does not allocate.
std::optional<ParsedTime> parse_time(std::string_view text) noexcept;

/// Formats a time in UTC, with `Z` and only as many fraction digits as needed: 2026-01-15T00:00:00Z,
/// 2026-01-15T00:00:00.25Z. An instant outside the years 0000 to 9999 is clamped, so parse_time() accepts
/// every result.
std::string format_time(Instant instant);

/// The current time of the system clock.
Instant now();

}  // namespace sheaf
