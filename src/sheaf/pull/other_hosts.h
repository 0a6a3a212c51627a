#pragma once

#include "sheaf/base/url.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/pull/failure.h"
#include "sheaf/site/robots.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace sheaf::pull {

/// Limits on requests to other hosts in one pull of a site.
struct OtherHostLimits {
  unsigned hosts = 20;
  std::uint64_t requests = 1000;  ///< to all of them together, with robots.txt, redirects and further tries
};

/// Protects the hosts that a site's sitemaps point to. Sitemaps and collections may be on another host (a
/// CDN, object storage), but a sitemap is not trusted: without limits it could direct thousands of rapid
/// requests at a host that has nothing to do with it. So the robots.txt of each such origin is requested
/// first, once per pull; its rules and delays are obeyed, and the number of requests is limited. One thread
/// at a time.
class OtherHosts {
 public:
  /// `site` is the site that is pulled; `delay` is the least time between two requests to another host.
  OtherHosts(const base::Url& site, http::fetch::Fetcher& fetcher, std::chrono::milliseconds delay,
             OtherHostLimits limits);

  /// Call it before every request: why the URL may not be requested. Never a failure for the site's own
  /// origin, whose rules are the caller's. Counts the request.
  Failure admit(const base::Url& url);

  [[nodiscard]] bool is_own(const base::Url& url) const { return url.origin() == own_origin_; }

 private:
  struct Origin {
    site::RobotsRules rules;
    Failure failure;  ///< why nothing may be requested from it
  };
  Origin ask_robots(const base::Url& url);
  [[nodiscard]] std::uint64_t most_for_robots() const;

  std::string own_origin_;
  http::fetch::Fetcher& fetcher_;
  std::chrono::milliseconds delay_;
  OtherHostLimits limits_;
  std::map<std::string, Origin> origins_;
  std::uint64_t requests_ = 0;
};

}  // namespace sheaf::pull
