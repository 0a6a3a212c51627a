#pragma once

#include "sheaf/cli/options/command_line.h"

#include <string>

namespace sheaf::cli {

/// Returns the number of processors; 1 on systems that do not reveal it.
unsigned number_of_processors();

/// Adds --threads; the default is one per processor. `what` says in the help what the threads do.
Option add_thread_option(const Command& command, unsigned& threads, const std::string& what);

}  // namespace sheaf::cli
