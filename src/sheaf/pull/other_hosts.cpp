#include "sheaf/pull/other_hosts.h"

#include "sheaf/crawl/crawl_rules.h"
#include "sheaf/http/fetch/address_rules.h"
#include "sheaf/pull/discover.h"
#include "sheaf/site/robots.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace sheaf::pull {

OtherHosts::OtherHosts(const base::Url& site, http::fetch::Fetcher& fetcher, std::chrono::milliseconds delay,
                       OtherHostLimits limits)
    : own_origin_(site.origin()), fetcher_(fetcher), delay_(delay), limits_(limits) {}

Failure OtherHosts::admit(const base::Url& url) {
  if (is_own(url)) return {};
  const std::string shown = http::fetch::shown_url(url);
  const auto known = origins_.find(url.origin());
  const std::uint64_t needed = 1 + (known == origins_.end() ? most_for_robots() : 0);
  if (requests_ + needed > limits_.requests)
    return {FailureCode::other_host_limit,
            fmt::format("{}: the site names more than {} files on other hosts; the rest is not fetched",
                        shown, limits_.requests)};
  if (known == origins_.end() && origins_.size() >= limits_.hosts)
    return {FailureCode::other_host_limit,
            fmt::format("{}: the site names files on more than {} other hosts; the rest is not fetched",
                        shown, limits_.hosts)};
  if (known == origins_.end()) {
    const std::uint64_t before = fetcher_.use().requests;
    origins_.emplace(url.origin(), ask_robots(url));
    requests_ += fetcher_.use().requests - before;
  }
  const Origin& origin = origins_.at(url.origin());
  if (origin.failure) return origin.failure;
  if (!origin.rules.judge(url).allowed)
    return {FailureCode::robots_disallowed, fmt::format("{} is disallowed by robots.txt of its host", shown)};
  ++requests_;
  return {};
}

/// Maximum number of requests for a robots.txt. Includes redirects and retries, so that the limit holds
/// however the host responds.
std::uint64_t OtherHosts::most_for_robots() const {
  return std::uint64_t{std::max(fetcher_.options().tries, 1U)} * (1 + site::kRobotsRedirects);
}

OtherHosts::Origin OtherHosts::ask_robots(const base::Url& url) {
  Origin origin;
  http::fetch::HostGate* const gate = fetcher_.options().gate;
  // The gate records the time of this request only if a delay is set. A Crawl-delay in the response then
  // counts from this request.
  if (gate != nullptr)
    gate->set_delay(http::fetch::host_key(url), std::max(delay_, std::chrono::milliseconds(1)));
  RobotsResponse answer =
      fetch_robots(url, fetcher_.options().user_agent, fetcher_, std::numeric_limits<unsigned>::max(), {});
  if (answer.failure) {
    origin.failure = std::move(answer.failure);
    return origin;
  }
  origin.rules = std::move(answer.rules);
  const std::chrono::milliseconds delay = crawl::choose_delay(delay_, origin.rules);
  if (gate != nullptr && delay > delay_) gate->set_delay(http::fetch::host_key(url), delay);
  return origin;
}

}  // namespace sheaf::pull
