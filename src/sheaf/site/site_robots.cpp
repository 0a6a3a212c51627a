#include "sheaf/site/site_robots.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::site {
namespace {

SiteRobots disallow_everything(std::optional<base::Error> error) {
  return {RobotsTxt::parse("User-agent: *\nDisallow: /\n"), RobotsAccess::nothing, std::move(error)};
}

}  // namespace

base::Url robots_url(const base::Url& page) { return *base::Url::parse("/robots.txt", &page); }

SiteRobots judge_robots_response(int status, std::string_view body, const RobotsTxt* before) {
  switch (judge_robots_status(status, kRobotsRedirects)) {
    case RobotsAccess::read: return {RobotsTxt::parse(body), RobotsAccess::read, std::nullopt};
    case RobotsAccess::follow:
    case RobotsAccess::everything: return {RobotsTxt(), RobotsAccess::everything, std::nullopt};
    case RobotsAccess::keep:
    case RobotsAccess::nothing: break;
  }
  if (before != nullptr) return {*before, RobotsAccess::read, std::nullopt};
  return disallow_everything(std::nullopt);
}

SiteRobots read_robots(const base::Url& page, const AskRobots& ask) {
  base::Url url = robots_url(page);
  for (unsigned redirects = 0;; ++redirects) {
    const auto reply = ask(url);
    if (!reply) return disallow_everything(reply.error());
    if (judge_robots_status(reply->status, redirects) == RobotsAccess::follow) {
      auto target = base::Url::parse(reply->location, &url);
      if (target && !reply->location.empty()) {
        url = target->without_fragment();
        continue;
      }
    }
    SiteRobots answer = judge_robots_response(reply->status, reply->body);
    if (answer.access == RobotsAccess::nothing)
      answer.error = base::Error{base::Errc::io, fmt::format("{} answered {}", url.href(), reply->status)};
    return answer;
  }
}

OriginRobots::OriginRobots(std::string agent, AskRobots ask, OnRead on_read)
    : agent_(std::move(agent)), ask_(std::move(ask)), on_read_(std::move(on_read)) {}

void OriginRobots::set(const base::Url& origin, RobotsRules rules) {
  const std::lock_guard lock(mutex_);
  origins_.insert_or_assign(origin.origin(), std::move(rules));
}

RobotsPermission OriginRobots::judge(const base::Url& url) {
  if (const auto known = judge_if_known(url)) return *known;
  const std::lock_guard asking(asking_);
  if (const auto known = judge_if_known(url)) return *known;  // another thread was quicker
  SiteRobots answer = read_robots(url, ask_);
  std::optional<RobotsRules> rules;
  if (answer.access != RobotsAccess::nothing) rules = answer.robots.rules_for(agent_);
  if (rules && on_read_) on_read_(url, *rules);
  {
    const std::lock_guard lock(mutex_);
    origins_.insert_or_assign(url.origin(), std::move(rules));
  }
  return judge_if_known(url).value_or(RobotsPermission::unknown);
}

std::optional<RobotsPermission> OriginRobots::judge_if_known(const base::Url& url) const {
  const std::lock_guard lock(mutex_);
  const auto found = origins_.find(url.origin());
  if (found == origins_.end()) return std::nullopt;
  if (!found->second) return RobotsPermission::unknown;
  return found->second->judge(url).allowed ? RobotsPermission::allowed : RobotsPermission::disallowed;
}

}  // namespace sheaf::site
