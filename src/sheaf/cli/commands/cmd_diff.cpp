#include "sheaf/cli/commands/commands.h"
#include "sheaf/cli/commands/page_differences.h"
#include "sheaf/cli/options/delta_options.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace sheaf::cli {
namespace {

struct DiffOptions {
  std::string older;
  std::string newer;
  DeltaCommandOptions common;
  bool skip_stale = false;
  bool pages = false;
};

base::Result<format::DiffSummary> diff(const DiffOptions& options) {
  SHEAF_TRY_ASSIGN(auto targets, targets_of(options.common));
  SHEAF_TRY(check_standard_input({options.older, options.newer}));
  format::DeltaOptions library = options.common.library;
  library.temporary_folder = format::working_folder(library.temporary_folder, targets);
  SHEAF_TRY_ASSIGN(const auto older,
                   format::reopenable_source(options.older, library.temporary_folder, library.limits));
  SHEAF_TRY_ASSIGN(const auto newer,
                   format::reopenable_source(options.newer, library.temporary_folder, library.limits));
  // Both are read twice: once to compare, once to write.
  Progress progress("diff", size_of_files({options.older, options.newer, options.older, options.newer}));
  library.progress = [&](std::uint64_t bytes, std::uint64_t pages) { progress.update(bytes, pages); };
  if (options.skip_stale) library.stale = format::Stale::leave_out;
  RepairMessages repairs;
  library.repaired = [&](std::string_view url, std::string_view repair) { repairs.add(url, repair); };
  auto summary = format::diff_collections(older, newer, std::move(targets), library);
  repairs.finish();
  return summary;
}

/// --pages: prints which pages and blocks differ, instead of writing a delta.
ExitStatus show_pages(const DiffOptions& options) {
  if (!options.common.outputs.empty())
    return report_failure({base::Errc::invalid_argument, "--pages prints what changed; leave out -o"});
  const auto shown = show_page_differences(options.older, options.newer, options.common);
  return shown ? ExitStatus::yes : report_failure(shown.error());
}

ExitStatus run(const DiffOptions& options) {
  if (options.pages) return show_pages(options);
  if (options.common.outputs.empty())
    return report_failure({base::Errc::invalid_argument,
                           "name the delta to write with -o, or print what changed with --pages"});
  const auto summary = diff(options);
  if (!summary) return report_failure(summary.error());
  if (options.common.json) {
    JsonOutput out;
    out.begin_report()
        .number("added", summary->added)
        .number("changed", summary->changed)
        .number("removed", summary->removed)
        .number("unchanged", summary->unchanged)
        .number("stale", summary->stale)
        .number("withoutContent", summary->without_content);
    write_summary(out, summary->written);
    out.end_object();
    print_json_line(out.text());
    return ExitStatus::yes;
  }
  print_text("{}{} added, {} changed, {} removed, {} unchanged\n", describe_written(summary->written),
             human_count(summary->added), human_count(summary->changed), human_count(summary->removed),
             human_count(summary->unchanged));
  if (summary->stale > 0)
    print_text("skipped {}: changed without a later `modified`\n", counted(summary->stale, "page", "pages"));
  if (summary->without_content > 0)
    print_text("left out {}: no content\n", counted(summary->without_content, "page", "pages"));
  return ExitStatus::yes;
}

}  // namespace

void add_diff(const Command& program, Job& job) {
  auto options = std::make_shared<DiffOptions>();
  const Command command = program.subcommand("diff", "Write the delta between two snapshots of a section");
  command.option("OLD", options->older, "the older snapshot; - is standard input").required();
  command.option("NEW", options->newer, "the newer snapshot").required();
  add_delta_options(command, options->common, "delta");
  command.flag("--skip-stale", options->skip_stale,
               "skip pages that changed without a later `modified` instead of refusing");
  command.flag("--pages", options->pages,
               "print which pages and which of their blocks differ, instead of writing a delta");
  command.footer(
      "Example: sheaf diff monday.scp.zst tuesday.scp.zst -o tuesday-delta.scp.zst -o tuesday-delta.scp.gz\n"
      "         sheaf diff --pages monday.scp.zst tuesday.scp.zst\n"
      "Exit status: 0 written, 1 an input is invalid or a guard refused, 2 reading or writing failed.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
