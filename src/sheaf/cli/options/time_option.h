#pragma once

#include "sheaf/base/error.h"
#include <sheaf/time.h>

#include <optional>
#include <string>
#include <string_view>

namespace sheaf::cli {

/// Parses the value of an option that takes a time: an RFC 3339 time, or a date, which means midnight UTC.
/// Returns nullopt for an empty text. Errors name the option and say what it accepts.
base::Result<std::optional<Instant>> parse_time_option(std::string_view option, const std::string& text);

}  // namespace sheaf::cli
