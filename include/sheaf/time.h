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
// Errors: parse_time gives nullopt for a text that is not a time. Threads: any number.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf {

/// A point in time in the years 0000 to 9999, the range of RFC 3339 (std::chrono's nanoseconds end in 2262).
struct Instant {
  std::int64_t seconds = 0;       ///< since 1970-01-01T00:00:00Z, negative before it
  std::uint32_t nanoseconds = 0;  ///< 0 to 999,999,999

  friend auto operator<=>(const Instant&, const Instant&) = default;
};

/// Whether a time names its offset from UTC.
enum class Offset : std::uint8_t { given, missing };

/// What parse_time() read.
struct ParsedTime {
  Instant instant;
  Offset offset = Offset::given;  ///< `missing`: a naive time, read as UTC
};

/// Parses RFC 3339 with any offset, any number of fraction digits (cut at nanoseconds) and lower-case t and
/// z. Second 60 is read as 59. A time without an offset is read as UTC, and the result says so. nullopt for
/// anything else. Never allocates.
std::optional<ParsedTime> parse_time(std::string_view text) noexcept;

/// UTC with `Z`, in whole seconds unless the instant has finer ones: 2026-01-15T00:00:00Z,
/// 2026-01-15T00:00:00.25Z. The result always parses: an instant outside the years 0000 to 9999 is written
/// as the nearest inside.
std::string format_time(Instant instant);

/// The system's clock.
Instant now();

}  // namespace sheaf
