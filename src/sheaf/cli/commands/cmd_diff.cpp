#include "sheaf/base/code_points.h"
#include "sheaf/base/error.h"
#include "sheaf/cli/commands/commands.h"
#include "sheaf/cli/options/common_options.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/format/deltas/page_diff.h"
#include "sheaf/model/plain_text.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::cli {
namespace {

using base::Result;
using format::BlockEdit;
using format::DiffOp;
using format::PageDifference;
using format::PageDiffKind;

constexpr std::size_t kShownBytes = 100;

std::string_view name_of(PageDiffKind fate) {
  switch (fate) {
    case PageDiffKind::added: return "added";
    case PageDiffKind::removed: return "removed";
    case PageDiffKind::changed: break;
  }
  return "changed";
}

std::string text_of(const BlockEdit& edit) {
  std::string text;
  model::append_block_text(text, *edit.block);
  return text;
}

void print_json(const PageDifference& difference) {
  JsonOutput out;
  out.begin_report().string("kind", name_of(difference.fate)).string("url", difference.url);
  if (difference.fate == PageDiffKind::changed) {
    out.begin_array("blocks");
    for (const BlockEdit& edit : difference.edits)
      out.begin_object()
          .string("op", edit.op == DiffOp::add ? "add" : "remove")
          .number("position", edit.position)
          .string("type", type_name(*edit.block))
          .string("text", text_of(edit))
          .end_object();
    out.end_array();
  }
  out.end_object();
  print_json_line(out.text());
}

void print_page(const PageDifference& difference) {
  print_text("{} {}\n", name_of(difference.fate), printable(difference.url, Lines::join));
  if (difference.fate != PageDiffKind::changed) return;
  if (difference.edits.empty()) print_text("  only its metadata\n");
  for (const BlockEdit& edit : difference.edits) {
    const std::string text = text_of(edit);
    const std::string_view shown = base::cut_utf8(text, kShownBytes);
    print_text("  {} {} {}: {}{}\n", edit.op == DiffOp::add ? '+' : '-', type_name(*edit.block),
               edit.position, printable(shown, Lines::join), shown.size() < text.size() ? "..." : "");
  }
}

/// Prints which pages of two collections differ, and which of their blocks.
Result<void> show_page_differences(const std::string& older, const std::string& newer,
                                   const DeltaCommandOptions& options) {
  SHEAF_TRY(check_standard_input({older, newer}));
  const format::DeltaOptions& library = options.library;
  SHEAF_TRY_ASSIGN(const auto old_source,
                   format::reopenable_source(older, library.temporary_folder, library.limits));
  SHEAF_TRY_ASSIGN(const auto new_source,
                   format::reopenable_source(newer, library.temporary_folder, library.limits));
  SHEAF_TRY_ASSIGN(const auto summary,
                   format::diff_pages(old_source, new_source, library,
                                      [&](const PageDifference& difference) -> Result<void> {
                                        options.json ? print_json(difference) : print_page(difference);
                                        return {};
                                      }));
  if (!options.json)
    print_text("{} added, {} changed, {} removed, {} unchanged\n", human_count(summary.added),
               human_count(summary.changed), human_count(summary.removed), human_count(summary.unchanged));
  return {};
}

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
