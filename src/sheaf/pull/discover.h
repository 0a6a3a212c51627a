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
  std::string digest;                   ///< of its text
  std::optional<RobotsCopy> copy;       ///< the copy to store, if it has changed
  std::vector<std::string> usage = {};  ///< lines that state usage preferences (site::find_usage_lines)
  /// The front page of the other origin to whose robots.txt this one redirects permanently.
  std::optional<base::Url> moved_to = {};
};

/// The front page of the origin to which a response redirects permanently (301, 308), path for path; nullopt
/// if it does not, or if that is its own origin.
std::optional<base::Url> permanent_target(const http::fetch::FetchHead& head, const base::Url& requested);

/// Fetches the robots.txt of a site's origin. `before` is the copy of the last pull, if there is one.
RobotsResponse fetch_robots(const base::Url& site, std::string_view user_agent, http::fetch::Fetcher& fetcher,
                            unsigned most_tries, const std::optional<RobotsCopy>& before);

/// Receives each sitemap entry. Its errors are returned by walk_site.
using UrlSink = std::function<base::Result<void>(const site::SitemapUrl&)>;

/// Contents of the sitemaps of a site.
struct SiteOffers {
  site::Advertised advertised;
  std::uint64_t urls = 0;  ///< entries in the sitemaps
  bool complete = false;   ///< every named sitemap was read
  /// Every named sitemap exists and was read, and there is one: what is not listed is not offered.
  bool whole = false;
  Failure unread;   ///< the first sitemap, or part of one, that could not be read
  Failure refused;  ///< the first sitemap that was not read: over plain http, or disallowed by robots.txt
  Failure unpaid;   ///< the first sitemap that was not read because it must be paid for
  std::vector<std::string> notes;  ///< descriptions of problems, limited in number
};

/// Reads every sitemap of a site that its robots.txt allows. If `address` has a path, it is the first sitemap
/// to read; otherwise robots.txt names the sitemaps. Entries go to `urls` unless it is empty. A sitemap that
/// was already fetched through the same `downloads` is not fetched again. If the site has https, sitemaps
/// over http are read only with `allow_http`.
base::Result<SiteOffers> walk_site(const base::Url& address, const RobotsResponse& robots,
                                   Downloads& downloads, bool allow_http, const UrlSink& urls);

}  // namespace sheaf::pull
