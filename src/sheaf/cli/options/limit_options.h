#pragma once

#include "sheaf/cli/options/command_line.h"
#include "sheaf/format/limits.h"

#include <string>

namespace sheaf::cli {

/// Options for the limits of a reader: --max-page 10MiB and so on.
void add_limit_options(const Command& command, format::Limits& limits);

}  // namespace sheaf::cli
