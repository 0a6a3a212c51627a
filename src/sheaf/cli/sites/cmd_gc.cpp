#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/options/common_options.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/cli/sites/store_options.h"
#include "sheaf/pull/download_folders.h"
#include "sheaf/store/open/open_store.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

namespace sheaf::cli {
namespace {

using GcSummary = store::GcSummary;

struct GcCommandOptions {
  std::string store;
  store::GcOptions library;
  bool json = false;
};

base::Result<GcSummary> collect(const GcCommandOptions& options, pull::TidySummary& downloads) {
  SHEAF_TRY_ASSIGN(const auto opened, open_existing_store(options.store, StoreAccess::write));
  store::PageStore& store = *opened;
  if (!store::is_shared_location(options.store))  // each worker of a shared store tidies its own
    downloads = pull::tidy_downloads(std::filesystem::path(options.store) / "downloads", {});
  Progress progress("gc", std::nullopt);
  auto library = options.library;
  library.progress = store_progress(progress);
  return store.gc(library);
}

ExitStatus run(const GcCommandOptions& options) {
  pull::TidySummary downloads;
  const auto summary = collect(options, downloads);
  if (!summary) return report_failure(summary.error());
  if (options.json) {
    JsonOutput out;
    out.begin_report()
        .number("orphans", summary->orphans)
        .number("changes", summary->changes)
        .number("bytesBefore", summary->bytes_before)
        .number("bytesAfter", summary->bytes_after)
        .number("downloadBytes", downloads.bytes)
        .end_object();
    print_json_line(out.text());
    return ExitStatus::yes;
  }
  print_text("{} on disk, {} before\n", human_size(summary->bytes_after), human_size(summary->bytes_before));
  if (summary->orphans > 0)
    print_text("removed {} that nothing referred to\n", counted(summary->orphans, "page", "pages"));
  if (summary->changes > 0)
    print_text("removed {} from the feed\n", counted(summary->changes, "change", "changes"));
  if (downloads.folders > 0)
    print_text("deleted {} of old downloads of {}\n", human_size(downloads.bytes),
               counted(downloads.folders, "site", "sites"));
  return ExitStatus::yes;
}

}  // namespace

void add_gc(const Command& program, Job& job) {
  auto options = std::make_shared<GcCommandOptions>();
  const Command command = program.subcommand("gc", "Make a store as small as possible");
  add_store_option(command, options->store);
  command
      .option("--keep-changes", options->library.keep_changes,
              "keep only the newest N changes of the feed; default: all")
      .not_negative()
      .value_name("N");
  add_thread_option(command, options->library.threads, "threads that pack pages");
  command.flag("--json", options->json, "print JSON");
  command.footer(
      "Example: sheaf gc --store crawl --keep-changes 100000\n"
      "Exit status: 0 done, 1 the store is damaged, 2 it could not be used, or another process writes to "
      "it.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
