#pragma once

#include "sheaf/cli/options/command_line.h"
#include "sheaf/cli/output/exit_status.h"

#include <functional>
#include <string>

namespace sheaf::cli {

/// The function that does a command's work. A command sets it when its options have been parsed; main() calls
/// it.
using Job = std::function<ExitStatus()>;

// Each command is in a file cmd_<name>.cpp. Its function adds the command to the program. `job` is set when
// the user calls the command.
void add_validate(const Command& program, Job& job);
void add_inspect(const Command& program, Job& job);
void add_convert(const Command& program, Job& job);
void add_diff(const Command& program, Job& job);
void add_merge(const Command& program, Job& job);
void add_extract(const Command& program, Job& job);
void add_robots(const Command& program, Job& job);
void add_html(const Command& program, Job& job);
void add_completion(const Command& program, Job& job);
void add_manual(const Command& program, Job& job);

}  // namespace sheaf::cli
