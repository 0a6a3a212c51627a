#pragma once

#include "sheaf/format/limits.h"

#include <CLI/CLI.hpp>

#include <string>

namespace sheaf::cli {

/// For options that are counts or sizes, as a CLI::Validator: CLI11 reads -1 as the largest number there is.
std::string refuse_sign(std::string& text);

/// The limits a reader is held to, as options of a command: --max-page 10MiB and so on.
void add_limit_options(CLI::App& command, format::Limits& limits);

}  // namespace sheaf::cli
