#pragma once

#include "sheaf/base/time.h"

#include <optional>
#include <string_view>

namespace sheaf::site {

/// The time of a `lastmod`: the W3C's profile of ISO 8601 (a year, a month, a day, or a time with or without
/// seconds and offset), and what real sitemaps make of it: a space for the T, an offset without its colon or
/// its minutes, no offset (read as UTC). What is left out counts as its first: 2026 is 2026-01-01T00:00:00Z.
/// Nothing for anything else.
std::optional<base::Instant> parse_lastmod(std::string_view text) noexcept;

}  // namespace sheaf::site
