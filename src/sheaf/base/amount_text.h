#pragma once

#include "sheaf/base/error.h"

#include <cstdint>
#include <string_view>

// Amounts as people write them in settings.
namespace sheaf::base {

/// The seconds of a number with s, m, h or d behind it: "30m".
Result<std::int64_t> parse_duration(std::string_view text);

/// The bytes of a number with an optional unit behind it: "500", "10KiB", "2MB", "1GiB" (B, K, M, G, T, each
/// as decimal, KB, or binary, KiB). Errors, invalid_argument: not such a text, or over 2^63.
Result<std::uint64_t> parse_byte_size(std::string_view text);

}  // namespace sheaf::base
