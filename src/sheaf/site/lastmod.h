#pragma once

#include <sheaf/time.h>

#include <optional>
#include <string_view>

namespace sheaf::site {

/// Parses a `lastmod`: the W3C profile of ISO 8601 (a year, a month, a day, or a time with or without seconds
/// and offset), and common deviations: a space instead of the T, an offset without colon or minutes, no
/// offset (read as UTC). Omitted parts get their first value: 2026 is 2026-01-01T00:00:00Z. Nullopt for
/// anything else.
std::optional<Instant> parse_lastmod(std::string_view text) noexcept;

}  // namespace sheaf::site
