#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/options/common_options.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/cli/sites/export_forms.h"
#include "sheaf/cli/sites/store_options.h"
#include "sheaf/export/chunk_export.h"
#include "sheaf/store/open/open_store.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <utility>

namespace sheaf::cli {
namespace {

using store::ChangeKind;
using store::StoreChange;

constexpr std::chrono::milliseconds kPause{500};

struct ChangesOptions {
  std::string store;
  std::string since = "0";
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  bool follow = false;
  bool json = false;
  bool with_pages = false;
  bool chunks = false;
  bool blocks = false;
  std::string state;
  exporting::ChunkRules rules;
};

/// The current page, or null if it was deleted.
base::Result<std::string> current_page(const store::PageStore& store, const StoreChange& change) {
  SHEAF_TRY_ASSIGN(auto page, store.get(change.site, change.section, change.url));
  return page ? std::move(page->json) : std::string("null");
}

/// `page` is JSON, or empty without --with-pages.
void print_json(const StoreChange& change, const std::string& page) {
  JsonOutput out;
  out.begin_report()
      .number("sequence", change.sequence)
      .string("kind", change.kind != ChangeKind::removed ? "put" : "delete")
      .string("site", change.site)
      .string("section", change.section)
      .string("url", change.url);
  if (change.old_modified.empty()) {
    out.null("oldModified");
  } else {
    out.string("oldModified", change.old_modified);
  }
  if (change.kind != ChangeKind::removed) {
    out.string("newModified", change.new_modified);
  } else {
    out.null("newModified");
  }
  if (!page.empty()) out.raw("page", page);
  out.end_object();
  print_json_line(out.text());
}

void print(const StoreChange& change) {
  const std::string url = printable(change.url, Lines::join);
  if (change.kind == ChangeKind::removed) {
    print_text("{} delete {} (was {})\n", change.sequence, url, change.old_modified);
  } else if (change.old_modified.empty()) {
    print_text("{} put {} {}\n", change.sequence, url, change.new_modified);
  } else {
    print_text("{} put {} {} (was {})\n", change.sequence, url, change.new_modified, change.old_modified);
  }
}

/// Several changes of a shared store may have the same number, so the position to continue from is printed
/// after them.
void print_cursor(const store::FeedCursor& cursor, const ChangesOptions& options) {
  if (!options.json && !options.with_pages) {
    print_text("continue with --since {}\n", cursor.text());
    return;
  }
  JsonOutput out;
  out.begin_report().string("cursor", cursor.text()).end_object();
  print_json_line(out.text());
}

base::Result<void> show(const ChangesOptions& options) {
  SHEAF_TRY_ASSIGN(const auto opened, open_existing_store(options.store, StoreAccess::read));
  store::PageStore& store = *opened;
  SHEAF_TRY_ASSIGN(store::FeedCursor last, store::FeedCursor::parse(options.since));
  std::uint64_t shown = 0;
  while (shown < options.limit) {
    base::Result<std::string> page;
    const std::uint64_t shown_before = shown;
    SHEAF_TRY(store.changes(last, [&](const StoreChange& change) {
      if (options.with_pages) page = current_page(store, change);
      if (!page) return false;
      options.json || options.with_pages ? print_json(change, *page) : print(change);
      last.advance(change.part, change.sequence, change.parts);
      return ++shown < options.limit && std::ferror(stdout) == 0;
    }));
    if (!page) return std::unexpected(page.error());
    if (last.parts() > 1 && shown > shown_before) print_cursor(last, options);
    if (!options.follow || std::fflush(stdout) != 0) break;
    std::this_thread::sleep_for(kPause);
    SHEAF_TRY(store.refresh());
  }
  return {};
}

base::Result<void> show_pieces(const ChangesOptions& options) {
  if (options.chunks && options.blocks)
    return base::fail(base::Errc::invalid_argument, "--chunks and --blocks exclude each other");
  if (options.state.empty())
    return base::fail(base::Errc::invalid_argument,
                      "--chunks and --blocks compare with what they reported before: name a file for that "
                      "with --state");
  if (options.since != "0" || options.follow || options.with_pages ||
      options.limit != std::numeric_limits<std::uint64_t>::max())
    return base::fail(base::Errc::invalid_argument,
                      "--chunks and --blocks report everything since the state: leave out --since, --limit, "
                      "--follow and --with-pages");
  SHEAF_TRY(check_chunk_rules(options.rules));
  SHEAF_TRY_ASSIGN(const auto store, open_existing_store(options.store, StoreAccess::read));
  SHEAF_TRY_ASSIGN(const std::string store_id, store::store_identity(options.store));
  exporting::ChunkRules rules = options.rules;
  if (options.blocks) rules.unit = exporting::ChunkRules::Unit::blocks;
  SHEAF_TRY(exporting::export_chunk_changes(*store, store_id, options.state, rules,
                                            [](std::string_view line) -> base::Result<void> {
                                              write_json(line);
                                              return check_printed();
                                            }));
  return {};
}

ExitStatus run(const ChangesOptions& options) {
  const auto shown = options.chunks || options.blocks ? show_pieces(options) : show(options);
  return shown ? ExitStatus::yes : report_failure(shown.error());
}

}  // namespace

void add_changes(const Command& program, Job& job) {
  auto options = std::make_shared<ChangesOptions>();
  const Command command = program.subcommand("changes", "Show what changed in a store, oldest first");
  add_store_option(command, options->store);
  command.option("--since", options->since, "only changes after number N; 0 shows all")
      .check(refuse_time)
      .value_name("N");
  command.option("--limit", options->limit, "stop after N changes").not_negative().value_name("N");
  command.flag("--follow", options->follow, "keep running and wait for more changes");
  command.flag("--json", options->json, "print one JSON object per change, one per line");
  command.flag("--with-pages", options->with_pages,
               "like --json, with the current page added to each change (null if it was deleted)");
  command.flag(
      "--chunks", options->chunks,
      "print the chunks (see export --format chunks) that were added or removed since --state was written");
  command.flag("--blocks", options->blocks, "like --chunks, but for single blocks");
  command
      .option("--state", options->state, "file in which --chunks or --blocks remembers what it has reported")
      .value_name("FILE");
  add_chunk_options(command, options->rules);
  command.footer(
      "Example: sheaf changes --store crawl --since 1200 --follow --json\n"
      "         sheaf changes --store crawl --since 1200 --with-pages\n"
      "         sheaf changes --store crawl --chunks --state index.state\n"
      "Exit status: 0 shown, 1 the store does not have that change, or no longer has it, 2 the store could "
      "not be read.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
