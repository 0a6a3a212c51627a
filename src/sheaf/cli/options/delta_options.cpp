#include "sheaf/cli/options/delta_options.h"

#include "sheaf/cli/options/limit_options.h"
#include "sheaf/cli/options/thread_option.h"
#include "sheaf/cli/output/output_files.h"

namespace sheaf::cli {

Option add_delta_options(const Command& command, DeltaCommandOptions& options,
                         const std::string& output_name) {
  const Option output = command
                            .option("-o,--output", options.outputs,
                                    output_name + " to write; the extension selects the codec; repeatable")
                            .value_name("FILE")
                            .one_at_a_time();
  command.option("--level", options.level, "compression level; default: 6 for gzip (1 to 9), 9 for zstd")
      .within(1, 19);
  command
      .option("--id", options.library.id, "id in the metadata line; default: made of section, type and time")
      .value_name("ID");
  command.flag(
      "--allow-shrink", [&options] { options.library.shrink = format::Shrink::allow; },
      "write the output even if more than half of the pages are removed");
  command.flag("--json", options.json, "print the report as JSON");
  add_thread_option(command, options.library.threads, "threads to use");
  command
      .option("--temporary", options.library.temporary_folder,
              "folder for temporary files; default: the folder of the output")
      .value_name("DIR")
      .existing_folder();
  add_limit_options(command, options.library.limits);
  return output;
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
