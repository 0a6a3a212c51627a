#pragma once

#include "sheaf/base/url.h"
#include "sheaf/http/fetch.h"
#include "sheaf/pull/failure.h"
#include "sheaf/site/robots.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <string>

namespace sheaf::pull {

/// How much a site may make us ask of hosts that are not its own, in one pull.
struct OtherHostLimits {
  unsigned hosts = 20;
  std::uint64_t requests = 1000;  ///< to all of them together, with robots.txt, redirects and further tries
};

/// Guards the hosts that a site's sitemaps point to. Sitemaps and collections may lie elsewhere (a CDN,
/// object storage), but a sitemap is written by a stranger: without a guard it could direct thousands of
/// rapid requests at a host that never asked for them. So each such origin is asked for its robots.txt first,
/// once a pull; its rules and delays are obeyed, and the number of requests is limited. One thread at a time.
class OtherHosts {
 public:
  /// `site` is the site that is pulled; `delay` is the least time between two requests to another host.
  OtherHosts(base::Url site, http::Fetcher& fetcher, std::chrono::milliseconds delay, OtherHostLimits limits);

  /// To be called before every request: why the URL may not be asked for. Never a failure for the site's own
  /// origin, whose rules are the caller's. Counts the request.
  Failure admit(const base::Url& url);

  [[nodiscard]] bool is_own(const base::Url& url) const { return url.origin() == own_origin_; }

 private:
  struct Origin {
    site::RobotsRules rules;
    Failure failure;  ///< why nothing may be asked of it
  };
  Origin ask_robots(const base::Url& url);
  [[nodiscard]] std::uint64_t most_for_robots() const;

  std::string own_origin_;
  http::Fetcher& fetcher_;
  std::chrono::milliseconds delay_;
  OtherHostLimits limits_;
  std::map<std::string, Origin> origins_;
  std::uint64_t requests_ = 0;
};

}  // namespace sheaf::pull
