#pragma once

#include "sheaf/cli/options/command_line.h"
#include "sheaf/format/limits.h"

#include <string>

namespace sheaf::cli {

/// The limits a reader is held to, as options of a command: --max-page 10MiB and so on.
void add_limit_options(const Command& command, format::Limits& limits);

}  // namespace sheaf::cli
