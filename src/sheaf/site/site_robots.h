#pragma once

#include "sheaf/site/robots.h"

#include <string>
#include <string_view>

namespace sheaf::site {

/// What a crawler has to go by after it asked for a site's robots.txt.
struct SiteRobots {
  RobotsTxt
      robots;  ///< the file's; empty where there is none; one that disallows everything where no answer came
  RobotsAccess access = RobotsAccess::nothing;  ///< read, everything or nothing
};

/// The address of the robots.txt that holds for a page.
base::Url robots_url(const base::Url& page);

/// What RFC 9309 2.3.1 makes of an answer after redirects were followed: its status (0: no answer, or a
/// connection that failed) and body. A 3xx that was not followed any further counts as one too many, and a
/// 304 without a robots.txt from `before` as no answer. Of `before`, the last one that was read, is also the
/// answer when none came now (the RFC lets a cached copy be used on).
SiteRobots judge_robots_answer(int status, std::string_view body, const RobotsTxt* before = nullptr);

}  // namespace sheaf::site
