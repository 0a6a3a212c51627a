#pragma once

#include "sheaf/base/error.h"
#include "sheaf/site/robots.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::site {

/// The rules of a site after requesting its robots.txt.
struct SiteRobots {
  RobotsTxt robots;  ///< empty if there is no file; disallows everything if there was no response
  RobotsAccess access = RobotsAccess::nothing;  ///< read, everything or nothing
  std::optional<base::Error> error = {};        ///< why `access` is nothing
};

/// The URL of the robots.txt that applies to a page.
base::Url robots_url(const base::Url& page);

/// Applies RFC 9309 2.3.1 to the status (0: no response) and body of a response after redirects. A 3xx means
/// too many redirects. `before` is the last robots.txt that was read, or null. It is used after a 304, and if
/// there is no response now, as the RFC allows. Without it, both disallow everything.
SiteRobots judge_robots_response(int status, std::string_view body, const RobotsTxt* before = nullptr);

/// One response to a request for robots.txt. Redirects are not followed.
struct RobotsReply {
  int status = 0;
  std::string location = {};  ///< of a redirect
  std::string body = {};      ///< decoded; bytes after kRobotsBytes + 1 are ignored
};

/// Sends one request. An error means that there is no usable response: no connection, not HTTP, damaged data.
using AskRobots = std::function<base::Result<RobotsReply>(const base::Url&)>;

/// Reads the robots.txt that applies to a page (RFC 9309): follows up to kRobotsRedirects redirects, also to
/// other hosts, and interprets the response. An unreadable robots.txt disallows everything.
SiteRobots read_robots(const base::Url& page, const AskRobots& ask);

}  // namespace sheaf::site
