#pragma once

#include "sheaf/cli/options/command_line.h"

#include <string>

namespace sheaf::cli {

/// At least 1: the number is unknown on some systems.
unsigned number_of_processors();

/// --threads, one per processor unless given. `what`: what the threads do, for the help.
Option add_thread_option(const Command& command, unsigned& threads, const std::string& what);

}  // namespace sheaf::cli
