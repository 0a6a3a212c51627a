#pragma once

#include "sheaf/cli/commands/commands.h"

#include <string>

namespace sheaf::cli {

/// Writes a sheaf.toml into the folder of a project and reports what was found. An existing file is not
/// changed. `base` is the site's URL if the user gave it.
ExitStatus write_first_config(const std::string& folder, const std::string& base);

}  // namespace sheaf::cli
