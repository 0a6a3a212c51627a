#pragma once

#include "sheaf/base/error.h"

#include <cstdint>
#include <string_view>

namespace sheaf::base {

/// Parses a number followed by s, m, h or d ("30m") and returns seconds. Fails with Errc::invalid_argument.
Result<std::int64_t> parse_duration(std::string_view text);

}  // namespace sheaf::base
