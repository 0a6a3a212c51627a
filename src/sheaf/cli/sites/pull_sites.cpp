#include "sheaf/cli/sites/pull_sites.h"

#include "sheaf/pull/cross_submission.h"
#include "sheaf/store/open/open_store.h"

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

}  // namespace sheaf::cli
