#include "sheaf/site/site_robots.h"

namespace sheaf::site {

base::Url robots_url(const base::Url& page) { return *base::Url::parse("/robots.txt", &page); }

SiteRobots judge_robots_answer(int status, std::string_view body, const RobotsTxt* before) {
  switch (judge_robots_status(status, kRobotsRedirects)) {
    case RobotsAccess::read: return {RobotsTxt::parse(body), RobotsAccess::read};
    case RobotsAccess::follow:
    case RobotsAccess::everything: return {RobotsTxt(), RobotsAccess::everything};
    case RobotsAccess::keep:
    case RobotsAccess::nothing: break;
  }
  if (before != nullptr) return {*before, RobotsAccess::read};
  return {RobotsTxt::parse("User-agent: *\nDisallow: /\n"), RobotsAccess::nothing};
}

}  // namespace sheaf::site
