#pragma once

#include <sheaf/time.h>

// Times are part of the public vocabulary; the modules know them as base::Instant.
namespace sheaf::base {

using sheaf::format_time;
using sheaf::Instant;
using sheaf::now;
using sheaf::Offset;
using sheaf::parse_time;
using sheaf::ParsedTime;

}  // namespace sheaf::base
