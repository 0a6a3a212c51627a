#include "sheaf/cli/sites/pull_sites.h"

#include "sheaf/cli/output/json_output.h"
#include "sheaf/cli/output/terminal.h"
#include "sheaf/pull/cross_submission.h"
#include "sheaf/store/open/open_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace sheaf::cli {

bool is_worker(const PullCommandOptions& options) {
  return store::is_shared_location(options.store) && options.urls.empty() && options.from_warc.empty();
}

base::Result<std::vector<base::Url>> choose_sites(const PullCommandOptions& options) {
  if (is_worker(options)) return std::vector<base::Url>();
  SHEAF_TRY_ASSIGN(auto sites, read_sites(options.urls, options.list));
  if (sites.empty() && options.from_warc.empty())
    return base::fail(base::Errc::invalid_argument,
                      "name a site, as https://example.com, or a --list of them");
  return sites;
}

store::shared::SiteSource listed_from(SortedSites& sites) {
  return [&sites]() -> base::Result<std::optional<store::shared::ListedSite>> {
    SHEAF_TRY_ASSIGN(const auto site, sites.next());
    if (!site) return std::nullopt;
    return store::shared::ListedSite{site->origin(), std::string(site->href())};
  };
}

base::Result<std::vector<std::string>> choose_also_hosts(const PullCommandOptions& options,
                                                         std::size_t sites) {
  if (!options.also_hosts.empty() && (sites != 1 || !options.list.empty()))
    return base::fail(base::Errc::invalid_argument,
                      "--also-host works with one site: name only that site, without --list");
  std::vector<std::string> hosts;
  for (const std::string& text : options.also_hosts) {
    SHEAF_TRY_ASSIGN(std::string host, pull::parse_also_host(text));
    hosts.push_back(std::move(host));
  }
  return hosts;
}

namespace {

// A damaged file may have thousands of faults.
constexpr std::uint64_t kFaultsShown = 20;

std::string describe_import(const pull::WarcImportResult& result) {
  const crawl::WarcCounts& counts = result.counts;
  std::string text =
      fmt::format("{}: {}, {} of {}\n", counted(counts.files, "WARC file", "WARC files"),
                  counted(counts.records, "record", "records"),
                  counted(counts.pages, "HTML page", "HTML pages"), counted(result.sites, "site", "sites"));
  const auto add_noun = [&](std::uint64_t count, std::string_view one, std::string_view many) {
    if (count > 0) text += fmt::format("  {}\n", counted(count, one, many));
  };
  const auto add = [&](std::uint64_t count, std::string_view what) { add_noun(count, what, what); };
  add(counts.repeated, "with a newer capture of the same URL");
  add_noun(counts.other_type, "document of another type", "documents of other types");
  add_noun(counts.other_status, "response with another status than 200",
           "responses with another status than 200");
  add_noun(counts.revisited, "unchanged when it was visited again", "unchanged when they were visited again");
  add_noun(counts.unresolved, "revisit of a page that the files do not have",
           "revisits of pages that the files do not have");
  add(counts.not_selected, "of other sites, or not http");
  add(counts.unreadable, "cut, too large, or not decodable");
  add(counts.too_large, "over 64 MiB");
  add_noun(counts.faults, "damaged place in the files", "damaged places in the files");
  return text;
}

std::string import_as_json(const pull::WarcImportResult& result) {
  const crawl::WarcCounts& counts = result.counts;
  JsonOutput json;
  json.begin_report().begin_object("warc").number("files", counts.files).number("records", counts.records);
  json.begin_object("types");
  for (std::size_t i = 0; i < counts.types.size(); ++i)
    if (counts.types[i] > 0) json.number(warc::to_string(static_cast<warc::RecordType>(i)), counts.types[i]);
  json.end_object()
      .number("sites", result.sites)
      .number("pages", counts.pages)
      .number("repeated", counts.repeated)
      .number("revisited", counts.revisited)
      .number("unresolved", counts.unresolved)
      .number("otherType", counts.other_type)
      .number("otherStatus", counts.other_status)
      .number("notSelected", counts.not_selected)
      .number("unreadable", counts.unreadable)
      .number("tooLarge", counts.too_large)
      .number("faults", counts.faults)
      .boolean("complete", result.complete)
      .end_object()
      .end_object();
  return json.text();
}

}  // namespace

base::Result<void> check_warc_options(const PullCommandOptions& options) {
  if (options.from_warc.empty()) return {};
  const bool requests = !options.list.empty() || options.plan || options.pull.reset || options.pull.repair ||
                        !options.pull.sections.empty() || !options.keep_warc.empty();
  if (requests)
    return base::fail(base::Errc::invalid_argument,
                      "--from-warc makes no requests: it does not work with --list, --plan, --section, "
                      "--reset, --repair and --keep-warc");
  if (std::ranges::count(options.from_warc, "-") > 1)
    return base::fail(base::Errc::invalid_argument, "standard input can be read only once");
  return {};
}

base::Result<pull::WarcImportResult> import_warc_files(
    store::PageStore& store, const PullCommandOptions& options, const pull::SitePullOptions& pull,
    const std::vector<base::Url>& sites, const std::function<void(const pull::PullReport&)>& on_report) {
  std::uint64_t faults = 0;
  const pull::WarcImportTask task{.store = store,
                                  .files = options.from_warc,
                                  .sites = sites,
                                  .temporary = std::filesystem::path(options.store),
                                  .options = pull,
                                  .on_report = on_report,
                                  .on_fault = [&](const std::string& sentence) {
                                    if (++faults > kFaultsShown) return;
                                    Progress::clear();
                                    print_message(sentence);
                                  }};
  SHEAF_TRY_ASSIGN(auto result, pull::import_warc(task));
  Progress::clear();
  if (faults > kFaultsShown)
    print_message(fmt::format("{} more of this kind are not shown", human_count(faults - kFaultsShown)));
  if (options.json)
    print_json_line(import_as_json(result));
  else
    print_text("{}", describe_import(result));
  return result;
}

}  // namespace sheaf::cli
