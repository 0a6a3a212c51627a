#include "sheaf/cli/commands/commands.h"
#include "sheaf/cli/options/store_options.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/page_text.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/search/search_index.h"

#include <atomic>
#include <csignal>
#include <memory>
#include <string>

namespace sheaf::cli {
namespace {

struct IndexCommandOptions {
  std::string store;
  bool rebuild = false;
  bool json = false;
};

std::atomic<bool> index_stopped = false;  // set by a signal

void stop_index(int /*number*/) { index_stopped = true; }

base::Result<search::IndexSummary> update(const IndexCommandOptions& options) {
  SHEAF_TRY_ASSIGN(const auto store, open_existing_store(options.store, StoreAccess::read));
  std::signal(SIGINT, stop_index);
  std::signal(SIGTERM, stop_index);
  Progress line("index", std::nullopt);
  IndexOptions index;
  index.rebuild = options.rebuild;
  index.progress = [&](std::uint64_t done, std::uint64_t total) {
    line.update_stage("index", done, total, Progress::Unit::pages);
  };
  index.on_notice = [](const std::string& sentence) { print_message(sentence); };
  index.on_damage = [](const std::string& sentence) { print_message(sentence); };
  index.cancelled = [] { return index_stopped.load(); };
  return search::update_index(*store, options.store, index);
}

ExitStatus run(const IndexCommandOptions& options) {
  const auto summary = update(options);
  if (!summary) {
    const ExitStatus status = report_failure(summary.error());
    return index_stopped ? ExitStatus::unknown : status;
  }
  if (options.json)
    print_json_line(index_as_json(*summary));
  else
    print_text("{}\n", describe_index(*summary));
  return summary->unreadable == 0 ? ExitStatus::yes : ExitStatus::no;
}

}  // namespace

void add_index(const Command& program, Job& job) {
  auto options = std::make_shared<IndexCommandOptions>();
  const Command command = program.subcommand("index", "Bring the search index of a store up to date");
  add_store_option(command, options->store);
  command.flag("--rebuild", options->rebuild, "build the index from scratch, even if one exists");
  command.flag("--json", options->json, "print the report as JSON");
  command.footer(
      "Example: sheaf index --store crawl\n"
      "Exit status: 0 up to date, 1 pages of the store or the index are damaged, 2 the index could not be "
      "updated.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
