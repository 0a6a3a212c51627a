#pragma once

#include "sheaf/cli/options/command_line.h"
#include "sheaf/cli/output/terminal.h"

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
void add_publish(const Command& program, Job& job);
void add_keys(const Command& program, Job& job);
void add_serve(const Command& program, Job& job);
void add_report(const Command& program, Job& job);
void add_pull(const Command& program, Job& job);
void add_identity(const Command& program, Job& job);
void add_doctor(const Command& program, Job& job);
void add_lab(const Command& program, Job& job);
void add_robots(const Command& program, Job& job);
void add_list(const Command& program, Job& job);
void add_get(const Command& program, Job& job);
void add_export(const Command& program, Job& job);
void add_changes(const Command& program, Job& job);
void add_status(const Command& program, Job& job);
void add_verify(const Command& program, Job& job);
void add_store(const Command& program, Job& job);
void add_index(const Command& program, Job& job);
void add_grep(const Command& program, Job& job);
void add_search(const Command& program, Job& job);
void add_browse(const Command& program, Job& job);
void add_mcp(const Command& program, Job& job);
void add_drop(const Command& program, Job& job);
void add_gc(const Command& program, Job& job);
void add_html(const Command& program, Job& job);
void add_completion(const Command& program, Job& job);
void add_manual(const Command& program, Job& job);

}  // namespace sheaf::cli
