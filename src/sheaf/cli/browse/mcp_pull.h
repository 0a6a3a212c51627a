#pragma once

#include "sheaf/mcp/pull_runner.h"

#include <string>

namespace sheaf::cli {

/// Pulls sites by running `sheaf pull SITE --store STORE --index` as a child process. So every guard of that
/// command applies, it also works while `sheaf pull --list` has the store open, and a signal stops it.
mcp::PullRunner::Pull pull_by_process(std::string store, bool allow_private);

}  // namespace sheaf::cli
