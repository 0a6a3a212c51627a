#pragma once

#include "sheaf/format/limits.h"

#include <CLI/CLI.hpp>

#include <string>

namespace sheaf::cli {

/// The limits a reader is held to, as options of a command: --max-page 10MiB and so on.
void add_limit_options(CLI::App& command, format::Limits& limits);

}  // namespace sheaf::cli
