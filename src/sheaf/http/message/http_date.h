#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::http::message {

/// An HTTP-date in any of its three forms (RFC 9110 5.6.7) as seconds since 1970:
///   Sun, 06 Nov 1994 08:49:37 GMT    Sunday, 06-Nov-94 08:49:37 GMT    Sun Nov  6 08:49:37 1994
/// A two-digit year in the second form means the latest matching year that is at most 50 years after `now`.
/// The day name must be valid but is not compared with the date. Nullopt for anything else. Does not
/// allocate.
std::optional<std::int64_t> parse_http_date(std::string_view text, std::int64_t now) noexcept;

/// Writes the first form. Times outside the years 1 to 9999 are clamped.
std::string format_http_date(std::int64_t seconds);

}  // namespace sheaf::http::message
