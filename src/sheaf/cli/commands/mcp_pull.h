#pragma once

#include "sheaf/mcp/pull_runner.h"

#include <string>

namespace sheaf::cli {

/// Pulls sites by running `sheaf pull SITE --store STORE --index` as a process of its own: with every guard
/// of that command, beside a fleet that holds the store, and ended by a signal as that command is.
mcp::PullRunner::Pull pull_by_process(std::string store, bool allow_private);

}  // namespace sheaf::cli
