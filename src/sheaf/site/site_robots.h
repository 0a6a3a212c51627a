#pragma once

#include "sheaf/base/error.h"
#include "sheaf/site/robots.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::site {

/// What a crawler has to go by after it asked for a site's robots.txt.
struct SiteRobots {
  RobotsTxt
      robots;  ///< the file's; empty where there is none; one that disallows everything where no answer came
  RobotsAccess access = RobotsAccess::nothing;  ///< read, everything or nothing
  std::optional<base::Error> error = {};        ///< why nothing: refused by a guard of ours, or anything else
};

/// The address of the robots.txt that holds for a page.
base::Url robots_url(const base::Url& page);

/// What RFC 9309 2.3.1 makes of an answer after redirects were followed: its status (0: no answer, or a
/// connection that failed) and body. A 3xx that was not followed any further counts as one too many, and a
/// 304 without a robots.txt from `before` as no answer. Of `before`, the last one that was read, is also the
/// answer when none came now (the RFC lets a cached copy be used on).
SiteRobots judge_robots_answer(int status, std::string_view body, const RobotsTxt* before = nullptr);

/// One answer to a request for a robots.txt, its redirects not followed.
struct RobotsReply {
  int status = 0;
  std::string location = {};  ///< of a redirect
  std::string body = {};      ///< decoded; what lies behind kRobotsBytes + 1 does not matter
};

/// Sends one request. An error says that no answer could be read: no connection, no HTTP, damaged data.
using AskRobots = std::function<base::Result<RobotsReply>(const base::Url&)>;

/// Reads the robots.txt that holds for a page by RFC 9309: follows kRobotsRedirects redirects, to other hosts
/// too, and judges the answer. What cannot be read disallows everything.
SiteRobots read_robots(const base::Url& page, const AskRobots& ask);

}  // namespace sheaf::site
