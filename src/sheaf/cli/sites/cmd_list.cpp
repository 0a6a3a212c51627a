#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/options/common_options.h"
#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/cli/sites/store_options.h"
#include "sheaf/export/exporter.h"
#include "sheaf/format/pages/stored_page_decoder.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>

namespace sheaf::cli {
namespace {

struct ListOptions {
  std::string store;
  SelectionOptions selection;
  bool json = false;
};

void print(const store::StoredPage& page, bool json) {
  if (!json) {
    print_text("{}  {}\n", printable(page.modified, Lines::join), printable(page.url, Lines::join));
    return;
  }
  JsonOutput out;
  out.begin_report()
      .string("site", page.site)
      .string("section", page.section)
      .string("url", page.url)
      .string("modified", page.modified)
      .string("learnt", format_time(page.as_of))
      .end_object();
  print_json_line(out.text());
}

/// Filters by language, which is not in the index, so the pages have to be read.
class LanguageFilter {
 public:
  explicit LanguageFilter(std::string wanted) : wanted_(std::move(wanted)) {}

  [[nodiscard]] bool needs_pages() const { return !wanted_.empty(); }

  base::Result<bool> operator()(const store::StoredPage& stored) {
    if (!needs_pages()) return true;
    const auto page = decoder_(stored.json);
    if (!page)
      return base::fail(base::Errc::invalid_data,
                        fmt::format("the store's page {} cannot be read: {}", stored.url, page.error()));
    return exporting::matches_language((*page)->language, wanted_);
  }

 private:
  std::string wanted_;
  format::StoredPageDecoder decoder_{format::Detail::checks};
};

base::Result<std::uint64_t> list(const ListOptions& options) {
  SHEAF_TRY_ASSIGN(const Selection selection, parse_selection(options.selection));
  SHEAF_TRY_ASSIGN(const auto opened, open_existing_store(options.store, StoreAccess::read));
  const store::PageStore& store = *opened;
  SHEAF_TRY(check_known(store, selection.site));
  LanguageFilter speaks(options.selection.language);
  store::PageFilter filter;
  filter.site = selection.site;
  filter.section = selection.section;
  filter.modified_since = selection.since;
  filter.modified_before = selection.until;
  filter.url = options.selection.url;
  filter.with_json = speaks.needs_pages();
  std::uint64_t shown = 0;
  if (options.selection.limit == 0) return 0;
  SHEAF_TRY(store.each_page(filter, [&](const store::StoredPage& page) -> base::Result<bool> {
    SHEAF_TRY_ASSIGN(const bool wanted, speaks(page));
    if (!wanted) return true;
    if (!options.selection.count) print(page, options.json);
    return ++shown < options.selection.limit;
  }));
  return shown;
}

ExitStatus run(const ListOptions& options) {
  const auto listed = list(options);
  if (!listed) return report_failure(listed.error());
  if (options.selection.count) print_count(*listed, options.json);
  return ExitStatus::yes;
}

}  // namespace

void add_list(const Command& program, Job& job) {
  auto options = std::make_shared<ListOptions>();
  const Command command = program.subcommand("list", "List the pages of a store");
  add_store_option(command, options->store);
  add_selection_options(command, options->selection);
  command.flag("--json", options->json, "print one JSON object per page, one per line");
  command.footer(
      "Example: sheaf list --store crawl --site example.com --since 2026-01-15\n"
      "Exit status: 0 listed, 1 the store is damaged, 2 it could not be read.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
