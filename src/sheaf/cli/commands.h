#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace sheaf::cli {

/// 0 yes, 1 no (invalid, refused), 2 could not tell (usage, input or output failed).
enum class ExitStatus : int { yes = 0, no = 1, unknown = 2 };

/// What a command leaves behind for main: the function that does its work, once its options are read.
using Job = std::function<ExitStatus()>;

// One file a command, cmd_<name>.cpp. Each adds its options to `app` and sets `job` when it is called.
void add_validate(CLI::App& app, Job& job);
void add_inspect(CLI::App& app, Job& job);
void add_convert(CLI::App& app, Job& job);
void add_diff(CLI::App& app, Job& job);
void add_merge(CLI::App& app, Job& job);
void add_extract(CLI::App& app, Job& job);
void add_publish(CLI::App& app, Job& job);
void add_serve(CLI::App& app, Job& job);
void add_pull(CLI::App& app, Job& job);
void add_robots(CLI::App& app, Job& job);
void add_list(CLI::App& app, Job& job);
void add_get(CLI::App& app, Job& job);
void add_export(CLI::App& app, Job& job);
void add_changes(CLI::App& app, Job& job);
void add_status(CLI::App& app, Job& job);
void add_verify(CLI::App& app, Job& job);
void add_gc(CLI::App& app, Job& job);
void add_html(CLI::App& app, Job& job);
void add_completion(CLI::App& app, Job& job);
void add_manual(CLI::App& app, Job& job);

}  // namespace sheaf::cli
