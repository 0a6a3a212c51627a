#include "sheaf/cli/commands/program_parts.h"
#include "sheaf/cli/options/common_options.h"
#include "sheaf/cli/output/output_files.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/cli/sites/search_report.h"
#include "sheaf/cli/sites/store_options.h"
#include "sheaf/search/search_index.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace sheaf::cli {
namespace {

struct SearchOptions {
  std::string store;
  std::vector<std::string> query;
  std::string since;
  SearchRequest request;
  bool json = false;
};

base::Result<bool> search_store(const SearchOptions& options) {
  SearchRequest request = options.request;
  request.query = fmt::format("{}", fmt::join(options.query, " "));
  SHEAF_TRY_ASSIGN(request.since, parse_time_option("--since", options.since));
  SHEAF_TRY_ASSIGN(const auto store, open_existing_store(options.store, StoreAccess::read));
  SHEAF_TRY_ASSIGN(const auto index, search::open_index(options.store));
  SHEAF_TRY_ASSIGN(const auto results, index->search(*store, request));
  if (options.json)
    print_json_line(results_as_json(request, results));
  else
    print_text("{}", describe_results(results));
  if (results.behind > 0 && !options.json)
    print_message(fmt::format("the store has {} that the index does not have yet; run `sheaf index`",
                              counted(results.behind, "change", "changes")));
  return !results.hits.empty();
}

ExitStatus run(const SearchOptions& options) {
  const auto found = search_store(options);
  if (!found) {
    (void)report_failure(found.error());
    return ExitStatus::unknown;
  }
  return *found ? ExitStatus::yes : ExitStatus::no;
}

}  // namespace

void add_search(const Command& program, Job& job) {
  auto options = std::make_shared<SearchOptions>();
  SearchRequest& request = options->request;
  const Command command = program.subcommand("search", "Search the pages of a store");
  command
      .option("QUERY", options->query,
              "words, \"phrases\", -excluded, one OR other, prefix*, site:HOST, lang:TAG, title:WORD")
      .required();
  add_store_option(command, options->store);
  command.option("--site", request.site, "only pages of this site; a host includes its subdomains")
      .value_name("SITE");
  command.option("--section", request.section, "only pages of this section").value_name("NAME");
  command.option("--lang", request.language, "only pages in this language; de includes de-AT")
      .value_name("TAG");
  command.option("--since", options->since, "only pages modified at or after this time").value_name("TIME");
  command.flag("--title", request.title_only, "search only in titles");
  command.option("--limit", request.limit, "maximum number of results")
      .within<std::size_t>(1, kMaxSearchResults)
      .value_name("N")
      .show_default();
  command.option("--cursor", request.cursor, "continue after earlier results, whose last line has the cursor")
      .value_name("CURSOR");
  command.flag("--json", options->json, "print one JSON object with all results");
  command.footer(
      "Example: sheaf search 'opening hours' --store crawl --site example.com\n"
      "         sheaf search '\"exact words\" -draft title:guide' --store crawl\n"
      "Put a query that begins with - after --: sheaf search --store crawl -- '-draft guide'\n"
      "Exit status: 0 found, 1 nothing found, 2 the query or the index cannot be used.");
  command.on_call([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace sheaf::cli
