#include "sheaf/cli/commands.h"
#include "sheaf/cli/json_output.h"
#include "sheaf/cli/limit_options.h"
#include "sheaf/cli/output_files.h"
#include "sheaf/cli/store_options.h"
#include "sheaf/cli/terminal.h"

#include <fmt/format.h>

#include <limits>
#include <memory>

namespace sheaf::cli {
namespace {

struct Options {
  std::string store;
  SelectionOptions selection;
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  bool json = false;
};

void print(const store::StoredPage& page, bool json) {
  if (!json) {
    print_text("{}  {}\n", printable(page.modified, Lines::join), printable(page.url, Lines::join));
    return;
  }
  JsonOutput out;
  out.begin_object()
      .string("site", page.site)
      .string("section", page.section)
      .string("url", page.url)
      .string("modified", page.modified)
      .string("learnt", base::format_time(page.learnt))
      .end_object();
  print_json_line(out.text());
}

base::Result<void> list(const Options& options) {
  SHEAF_TRY_ASSIGN(const Selection selection, parse_selection(options.selection));
  SHEAF_TRY_ASSIGN(const auto store, open_store(options.store, store::Access::read));
  SHEAF_TRY(check_known(store, selection.site));
  store::PageFilter filter{selection.site, selection.section, selection.since, false};
  std::uint64_t shown = 0;
  if (options.limit == 0) return {};
  return store.each_page(filter, [&](const store::StoredPage& page) -> base::Result<bool> {
    print(page, options.json);
    return ++shown < options.limit;
  });
}

ExitStatus run(const Options& options) {
  const auto listed = list(options);
  return listed ? ExitStatus::yes : report_failure(listed.error());
}

}  // namespace

void add_list(const Command& program, Job& job) {
  auto options = std::make_shared<Options>();
  const Command command = program.subcommand("list", "List the pages of a store");
  add_store_option(command, options->store);
  add_selection_options(command, options->selection);
  command.option("--limit", options->limit, "stop after N pages").not_negative().value_name("N");
  command.flag("--json", options->json, "one JSON object a page, one a line");
  command.footer(
      "Example: sheaf list --store crawl --site example.com --since 2026-01-15T00:00:00Z\n"
      "Exit status: 0 listed, 1 the store is damaged, 2 it could not be read.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
