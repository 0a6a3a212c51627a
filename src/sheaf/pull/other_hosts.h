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
  std::uint64_t requests = 1000;  ///< to all other hosts together, including robots.txt, redirects and
                                  ///< retries
};

/// Protects the hosts that a site's sitemaps point to. Sitemaps and collections may be on another host (a
/// CDN, object storage), but a sitemap is not trusted: without limits it could direct thousands of rapid
/// requests at an unrelated host. So the robots.txt of each such origin is requested first, once per pull;
/// its rules and delays are obeyed, and the number of requests is limited. Not thread-safe.
class OtherHosts {
 public:
  /// `site` is the pulled site; `delay` is the minimum time between two requests to another host.
  OtherHosts(const base::Url& site, http::fetch::Fetcher& fetcher, std::chrono::milliseconds delay,
             OtherHostLimits limits);

  /// Must be called before every request, which it counts. Returns why the URL must not be requested. URLs of
  /// the site's own origin are always admitted, because the caller checks its rules.
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
