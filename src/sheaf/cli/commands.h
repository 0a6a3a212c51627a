#pragma once

#include "sheaf/cli/command_line.h"

#include <functional>
#include <string>

namespace sheaf::cli {

/// 0 yes, 1 no (invalid, refused), 2 could not tell (usage, input or output failed).
enum class ExitStatus : int { yes = 0, no = 1, unknown = 2 };

/// What a command leaves behind for main: the function that does its work, once its options are read.
using Job = std::function<ExitStatus()>;

// One file a command, cmd_<name>.cpp. Each adds its options to the program and sets `job` when it is called.
void add_validate(const Command& program, Job& job);
void add_inspect(const Command& program, Job& job);
void add_convert(const Command& program, Job& job);
void add_diff(const Command& program, Job& job);
void add_merge(const Command& program, Job& job);
void add_extract(const Command& program, Job& job);
void add_publish(const Command& program, Job& job);
void add_serve(const Command& program, Job& job);
void add_pull(const Command& program, Job& job);
void add_robots(const Command& program, Job& job);
void add_list(const Command& program, Job& job);
void add_get(const Command& program, Job& job);
void add_export(const Command& program, Job& job);
void add_changes(const Command& program, Job& job);
void add_status(const Command& program, Job& job);
void add_verify(const Command& program, Job& job);
void add_gc(const Command& program, Job& job);
void add_html(const Command& program, Job& job);
void add_completion(const Command& program, Job& job);
void add_manual(const Command& program, Job& job);

}  // namespace sheaf::cli
