#pragma once

#include "sheaf/base/error.h"

#include <cstdint>
#include <string_view>

// Parses durations and sizes, as written in settings.
namespace sheaf::base {

/// Parses a number followed by s, m, h or d ("30m") and returns seconds. Fails with Errc::invalid_argument.
Result<std::int64_t> parse_duration(std::string_view text);

/// Parses a number followed by an optional unit and returns bytes: "500", "10KiB", "2MB", "1GiB". Units are
/// B, and K, M, G and T as decimal ("K", "KB") or binary ("KiB") units, in any case. Fails with
/// Errc::invalid_argument if the text has another form or the size exceeds 2^63 - 1.
Result<std::uint64_t> parse_byte_size(std::string_view text);

}  // namespace sheaf::base
