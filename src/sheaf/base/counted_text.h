#pragma once

#include "sheaf/base/error.h"

#include <cstdint>
#include <string>
#include <string_view>

// Formats numbers for messages.
namespace sheaf::base {

/// "1,234,567".
std::string human_count(std::uint64_t count);

/// "1 page", "3 pages".
std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural);

/// "12.3 MiB", "845 bytes", "1 byte".
std::string human_size(std::uint64_t bytes);

/// Parses a number followed by s, m, h or d ("30m") and returns seconds. Fails with Errc::invalid_argument.
Result<std::int64_t> parse_duration(std::string_view text);

}  // namespace sheaf::base
