#pragma once

#include "sheaf/base/error.h"
#include "sheaf/cli/options/delta_options.h"

#include <string>

namespace sheaf::cli {

/// Prints which pages of two collections differ, and which of their blocks.
base::Result<void> show_page_differences(const std::string& older, const std::string& newer,
                                         const DeltaCommandOptions& options);

}  // namespace sheaf::cli
