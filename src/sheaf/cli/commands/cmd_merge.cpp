#include "sheaf/cli/commands/commands.h"
#include "sheaf/cli/options/common_options.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace sheaf::cli {
namespace {

struct MergeOptions {
  std::string first;
  std::vector<std::string> deltas;
  DeltaCommandOptions common;
  bool ignore_state = false;
};

base::Result<format::MergeSummary> merge(const MergeOptions& options) {
  SHEAF_TRY_ASSIGN(auto targets, targets_of(options.common));
  std::vector<std::string> inputs = options.deltas;
  inputs.push_back(options.first);
  SHEAF_TRY(check_standard_input(inputs));
  format::DeltaOptions library = options.common.library;
  library.temporary_folder = format::working_folder(library.temporary_folder, targets);
  SHEAF_TRY_ASSIGN(const auto first,
                   format::reopenable_source(options.first, library.temporary_folder, library.limits));
  std::vector<format::SourceOpener> deltas;
  for (const std::string& path : options.deltas) {
    SHEAF_TRY_ASSIGN(auto delta, format::reopenable_source(path, library.temporary_folder, library.limits));
    deltas.push_back(std::move(delta));
  }
  // Every input is read twice: once to find the newest version of each page, once to write.
  std::vector<std::string> readings = inputs;
  readings.insert(readings.end(), inputs.begin(), inputs.end());
  Progress progress("merge", size_of_files(readings));
  library.progress = [&](std::uint64_t bytes, std::uint64_t pages) { progress.update(bytes, pages); };
  if (options.ignore_state) library.state_mismatch = format::StateMismatch::allow;
  RepairMessages repairs;
  library.repaired = [&](std::string_view url, std::string_view repair) { repairs.add(url, repair); };
  auto summary = format::merge_collections(first, deltas, std::move(targets), library);
  repairs.finish();
  return summary;
}

ExitStatus run(const MergeOptions& options) {
  const auto summary = merge(options);
  if (!summary) return report_failure(summary.error());
  if (options.common.json) {
    JsonOutput out;
    out.begin_report()
        .number("replaced", summary->replaced)
        .number("inserted", summary->inserted)
        .number("removed", summary->removed)
        .number("ignoredDeltas", summary->ignored_deltas)
        .number("withoutContent", summary->without_content);
    write_summary(out, summary->written);
    out.end_object();
    print_json_line(out.text());
    return ExitStatus::yes;
  }
  print_text("{}{} replaced, {} inserted, {} removed\n", describe_written(summary->written),
             human_count(summary->replaced), human_count(summary->inserted), human_count(summary->removed));
  if (summary->ignored_deltas > 0)
    print_text("ignored: {} not newer than the inputs before\n",
               counted(summary->ignored_deltas, "delta", "deltas"));
  if (summary->without_content > 0)
    print_text("left out {}: no content\n", counted(summary->without_content, "page", "pages"));
  return ExitStatus::yes;
}

}  // namespace

void add_merge(const Command& program, Job& job) {
  auto options = std::make_shared<MergeOptions>();
  const Command command = program.subcommand("merge", "Apply deltas to a snapshot, or merge deltas into one");
  command
      .option("FIRST", options->first,
              "the snapshot to start from, or a delta: the result is then a delta; - is standard input")
      .required();
  command.option("DELTA", options->deltas,
                 "deltas, in any order; without any, only duplicate URLs are resolved");
  add_delta_options(command, options->common, "collection").required();
  command.flag("--ignore-state", options->ignore_state,
               "write the output even if the pages do not match the state digest");
  command.footer(
      "Example: sheaf merge monday.scp.zst tuesday-delta.scp.zst wednesday-delta.scp.zst -o "
      "wednesday.scp.zst\n"
      "Exit status: 0 written, 1 an input is invalid, there is a gap or a guard refused, 2 reading or "
      "writing failed.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
