#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/http/fetch.h"
#include "sheaf/http/validators.h"
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

/// A robots.txt as it was last read, kept to ask whether it has changed.
struct RobotsCopy {
  http::Validators validators;
  std::string body;
};

inline constexpr std::string_view kRobotsNote = "robots";  ///< where the store has it
std::string encode(const RobotsCopy& copy);
/// Nothing, if the bytes are not those of a copy.
std::optional<RobotsCopy> decode_robots_copy(std::string_view bytes);

/// What robots.txt of a site says to us.
struct RobotsAnswer {
  site::RobotsTxt robots;
  site::RobotsRules rules;
  /// Why nothing may be asked of the site now; empty if it may.
  Failure failure;
  std::optional<std::chrono::seconds> retry_after;
  std::optional<RobotsCopy> copy;  ///< to be kept, where it is another than before
};

/// Sends one request for a robots.txt with this fetcher; of the file at most site::kRobotsBytes + 1 bytes are
/// read.
base::Result<site::RobotsReply> ask_for_robots(http::Fetcher& fetcher, const base::Url& url,
                                               unsigned most_tries);

/// Reads the robots.txt of a site's origin. `before` is the copy of last time, if there is one.
RobotsAnswer fetch_robots(const base::Url& site, std::string_view user_agent, http::Fetcher& fetcher,
                          unsigned most_tries, const std::optional<RobotsCopy>& before);

/// Takes an entry of a sitemap; what is wrong with the store comes out of walk_site.
using UrlSink = std::function<base::Result<void>(const site::SitemapUrl&)>;

/// What the sitemaps of a site say.
struct SiteOffers {
  site::Advertised advertised;
  std::uint64_t urls = 0;          ///< entries
  bool complete = false;           ///< every sitemap that was named was read
  Failure refused;                 ///< the first sitemap that was not read since it is served over plain http
  std::vector<std::string> notes;  ///< what is wrong with them, at most a few
};

/// Reads every sitemap of a site. `address` with a path is the sitemap to begin with, else robots.txt says
/// where they are. Entries go to `urls` where it is not empty. What was fetched through the same `downloads`
/// before is not fetched again.
/// Sitemaps over http, of a site that has https, are read only with `allow_http`.
base::Result<SiteOffers> walk_site(const base::Url& address, const site::RobotsTxt& robots,
                                   Downloads& downloads, bool allow_http, const UrlSink& urls);

}  // namespace sheaf::pull
