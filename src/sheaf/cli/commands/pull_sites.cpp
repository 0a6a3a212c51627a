#include "sheaf/cli/commands/pull_sites.h"

#include "sheaf/cli/options/site_list_file.h"
#include "sheaf/pull/cross_submission.h"
#include "sheaf/pull/site_list.h"
#include "sheaf/store/open/open_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace sheaf::cli {

bool is_worker(const PullCommandOptions& options) {
  return store::is_shared_location(options.store) && options.urls.empty() && options.from_warc.empty();
}

base::Result<std::vector<base::Url>> choose_sites(const PullCommandOptions& options) {
  std::vector<base::Url> sites;
  for (const std::string& text : options.urls) {
    SHEAF_TRY_ASSIGN(auto site, pull::parse_site_address(text));
    sites.push_back(std::move(site));
  }
  if (!options.list.empty()) {
    SHEAF_TRY_ASSIGN(auto listed, read_site_list(options.list));
    std::ranges::move(listed, std::back_inserter(sites));
  }
  if (sites.empty() && !options.list.empty())
    return base::fail(base::Errc::invalid_argument, fmt::format("{} names no site", options.list));
  if (sites.empty() && options.from_warc.empty() && !is_worker(options))
    return base::fail(base::Errc::invalid_argument,
                      "name a site, as https://example.com, or a --list of them");
  std::set<std::string> seen;
  std::erase_if(sites, [&](const base::Url& site) { return !seen.insert(site.origin()).second; });
  return sites;
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
