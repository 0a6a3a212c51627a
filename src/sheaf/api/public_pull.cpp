#include "sheaf/api/store_inside.h"
#include "sheaf/pull/fleet.h"
#include "sheaf/pull/pull.h"
#include "sheaf/pull/site_list.h"
#include "sheaf/site/robots.h"
#include "sheaf/store/open/open_store.h"

#include <fmt/format.h>

#include <sheaf/pull.h>

#include <algorithm>
#include <utility>

namespace sheaf {
namespace {

constexpr unsigned kAllConnections = 64;  ///< of one call, to all hosts

Result<pull::SitePullOptions> site_options(const RequestOptions& requests, const PullOptions& options,
                                           http::fetch::HostGate& gate) {
  if (site::product_token(requests.user_agent).empty())
    return fail(
        Errc::invalid_argument,
        fmt::format("{}: a user agent begins with a name, as ExampleBot/1.0 (+https://example.com/bot)",
                    requests.user_agent));
  pull::SitePullOptions own{options};
  own.fetch = requests;
  own.fetch.gate = &gate;
  own.fetch.cancelled = options.cancelled;
  return own;
}

}  // namespace

Result<PullReport> pull_site(Store& store, std::string_view site, const RequestOptions& requests,
                             const PullOptions& options) {
  SHEAF_TRY_ASSIGN(const base::Url url, pull::parse_site_url(site));
  http::fetch::HostGate gate(requests.connections, kAllConnections);
  SHEAF_TRY_ASSIGN(const auto own, site_options(requests, options, gate));
  store::PageStore& pages = StoreInside::pages(store);
  SHEAF_TRY_ASSIGN(const auto downloads, store::take_download_folder(StoreInside::folder(store).string()));
  SHEAF_TRY_ASSIGN(auto report, pull::pull_site(pages, url, pull::folder_of_site(downloads.path, url), own));
  if (options.pack_threads > 0) SHEAF_TRY(pages.pack(store::kWorthPacking, options.pack_threads));
  return report;
}

Result<FleetSummary> pull_sites(Store& store, const std::vector<std::string>& sites,
                                const RequestOptions& requests, const PullOptions& options,
                                const FleetOptions& fleet) {
  std::vector<base::Url> urls;
  for (const std::string& site : sites) {
    SHEAF_TRY_ASSIGN(auto url, pull::parse_site_url(site));
    urls.push_back(std::move(url));
  }
  http::fetch::HostGate gate(requests.connections, kAllConnections);
  pull::FleetJob job{fleet};
  SHEAF_TRY_ASSIGN(job.pull, site_options(requests, options, gate));
  SHEAF_TRY_ASSIGN(const auto downloads, store::take_download_folder(StoreInside::folder(store).string()));
  job.downloads = downloads.path;
  return pull::pull_many(StoreInside::pages(store), std::move(urls), job);
}

}  // namespace sheaf
