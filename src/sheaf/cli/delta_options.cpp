#include "sheaf/cli/delta_options.h"

#include "sheaf/cli/limit_options.h"
#include "sheaf/cli/output_files.h"

namespace sheaf::cli {

void add_delta_options(CLI::App& command, DeltaCommandOptions& options, const std::string& output_name) {
  options.library.threads = 2;
  command
      .add_option("-o,--output", options.outputs,
                  output_name + " to write; given more than once, one file for each codec")
      ->type_name("FILE")
      ->required()
      ->allow_extra_args(false);
  command
      .add_option("--level", options.level,
                  "compression level (gzip 1 to 9, zstd 1 to 19); 6 and 9 unless given")
      ->check(CLI::Range(1, 19));
  command
      .add_option("--id", options.library.id,
                  "id of the collection written; made from section, type and time unless given")
      ->type_name("ID");
  command.add_flag_callback(
      "--allow-shrink", [&options] { options.library.shrink = format::Shrink::allow; },
      "write it even if over half of the pages go away");
  command.add_flag("--json", options.json, "report as JSON");
  command.add_option("--threads", options.library.threads, "threads to use")
      ->check(CLI::Range(1U, 64U))
      ->capture_default_str();
  command
      .add_option("--temporary", options.library.temporary_folder,
                  "folder for temporary files; beside the output unless given")
      ->type_name("DIR")
      ->check(CLI::ExistingDirectory);
  add_limit_options(command, options.library.limits);
}

base::Result<std::vector<format::WriterTarget>> targets_of(const DeltaCommandOptions& options) {
  std::vector<format::WriterTarget> targets;
  for (const std::string& path : options.outputs) {
    SHEAF_TRY_ASSIGN(auto target, target_for(path, options.level));
    targets.push_back(std::move(target));
  }
  return targets;
}

}  // namespace sheaf::cli
