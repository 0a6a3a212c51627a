#include "sheaf/site/origin_robots.h"

#include <utility>

namespace sheaf::site {

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
