#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/pull/crawl_state.h"
#include "sheaf/pull/downloads.h"
#include "sheaf/pull/failure.h"
#include "sheaf/site/advertised.h"
#include "sheaf/site/robots.h"
#include "sheaf/site/site_robots.h"
#include "sheaf/site/site_walk.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::pull {

/// The robots.txt of a site, as it applies to our user agent.
struct RobotsResponse {
  site::RobotsTxt robots;
  site::RobotsRules rules;
  /// Why nothing may be requested from the site now; empty if it may.
  Failure failure;
  std::optional<std::chrono::seconds> retry_after;
  std::optional<RobotsCopy> copy;        ///< to be stored, if it has changed
  std::optional<PriceOffer> offer = {};  ///< if even robots.txt costs something
  std::vector<std::string> usage = {};   ///< lines that state preferences (site::find_usage_lines)
};

/// Reads the robots.txt of a site's origin. `before` is the copy of last time, if there is one.
RobotsResponse fetch_robots(const base::Url& site, std::string_view user_agent, http::fetch::Fetcher& fetcher,
                            unsigned most_tries, const std::optional<RobotsCopy>& before);

/// Receives each sitemap entry. Its errors are returned by walk_site.
using UrlSink = std::function<base::Result<void>(const site::SitemapUrl&)>;

/// Contents of the sitemaps of a site.
struct SiteOffers {
  site::Advertised advertised;
  std::uint64_t urls = 0;  ///< entries
  bool complete = false;   ///< every sitemap that was named was read
  Failure refused;         ///< the first sitemap that was not read because it is served over plain http
  Failure unpaid;          ///< the first sitemap that was not read because it costs something
  std::vector<std::string> notes;  ///< problems, at most a few
};

/// Reads every sitemap of a site. An `address` with a path is the sitemap to begin with; otherwise robots.txt
/// names them. Entries go to `urls` unless it is empty. A sitemap that was fetched before through the same
/// `downloads` is not fetched again. Sitemaps over http, of a site that has https, are read only with
/// `allow_http`.
base::Result<SiteOffers> walk_site(const base::Url& address, const site::RobotsTxt& robots,
                                   Downloads& downloads, bool allow_http, const UrlSink& urls);

}  // namespace sheaf::pull
