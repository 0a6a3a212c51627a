#include "sheaf/pull/other_hosts.h"

#include "sheaf/http/address_rules.h"
#include "sheaf/http/fetch_body.h"
#include "sheaf/pull/fetch_failure.h"
#include "sheaf/site/site_robots.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::pull {

OtherHosts::OtherHosts(base::Url site, http::Fetcher& fetcher, std::chrono::milliseconds delay,
                       OtherHostLimits limits)
    : own_origin_(site.origin()), fetcher_(fetcher), delay_(delay), limits_(limits) {}

Failure OtherHosts::admit(const base::Url& url) {
  if (is_own(url)) return {};
  const std::string shown = http::shown_url(url);
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

/// With all its redirects and tries, so that the limit holds whatever the host answers.
std::uint64_t OtherHosts::most_for_robots() const {
  return std::uint64_t{std::max(fetcher_.options().retry.tries, 1U)} * (1 + fetcher_.options().redirects);
}

OtherHosts::Origin OtherHosts::ask_robots(const base::Url& url) {
  constexpr double kLongestDelay = 60;
  Origin origin;
  http::HostGate* const gate = fetcher_.options().gate;
  // With any delay at all the gate remembers when a host was asked, so that its Crawl-delay counts from then.
  if (gate != nullptr) gate->set_delay(http::host_key(url), std::max(delay_, std::chrono::milliseconds(1)));
  const std::string robots_url(site::robots_url(url).href());
  const auto text = http::fetch_prefix(fetcher_, {.url = robots_url}, site::kRobotsBytes + 1);
  if (!text && text.error().code != base::Errc::io) {
    origin.failure = fetch_failure(fetcher_.trouble(), text.error().message);
    return origin;
  }
  const auto answer = site::judge_robots_answer(text ? text->head.status : 0, text ? text->body : "");
  if (answer.access == site::RobotsAccess::nothing) {
    origin.failure = {FailureCode::robots_unavailable,
                      fmt::format("{}: without it nothing may be fetched from that host",
                                  text ? fmt::format("{} answered {}", robots_url, text->head.status)
                                       : text.error().message)};
    return origin;
  }
  origin.rules = answer.robots.rules_for(fetcher_.options().user_agent);
  const double asked = std::clamp(origin.rules.crawl_delay().value_or(0), 0.0, kLongestDelay);
  const std::chrono::milliseconds delay(static_cast<std::int64_t>(asked * 1000));
  if (gate != nullptr && delay > delay_) gate->set_delay(http::host_key(url), delay);
  return origin;
}

}  // namespace sheaf::pull
