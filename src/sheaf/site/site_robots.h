#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/site/robots.h"

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
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

enum class RobotsPermission : std::uint8_t {
  allowed,
  disallowed,
  unknown,  ///< the origin's robots.txt cannot be read now: nothing may be fetched, but nothing is forbidden
};

/// The robots.txt files of all origins of one crawl. A robots.txt applies only to its scheme, host and port
/// (RFC 9309, 2.3), so http and https, with and without `www.`, each have a separate one. Each is read once,
/// when the first URL of its origin is judged. The caller limits the number of origins. Thread-safe.
class OriginRobots {
 public:
  using OnRead = std::function<void(const base::Url& origin, const RobotsRules& rules)>;

  /// `ask` is called by one thread at a time. `on_read` is called for every robots.txt that was read, for its
  /// Crawl-delay.
  OriginRobots(std::string agent, AskRobots ask, OnRead on_read = {});

  /// Sets the rules of an origin that the caller has read.
  void set(const base::Url& origin, RobotsRules rules);

  /// Reads the robots.txt of the URL's origin if it is not known yet.
  RobotsPermission judge(const base::Url& url);
  /// The same without a request; nullopt if the origin's robots.txt has not been read.
  [[nodiscard]] std::optional<RobotsPermission> judge_if_known(const base::Url& url) const;

 private:
  std::string agent_;
  AskRobots ask_;
  OnRead on_read_;
  std::mutex asking_;
  mutable std::mutex mutex_;
  std::map<std::string, std::optional<RobotsRules>> origins_;  ///< nullopt: its robots.txt cannot be read
};

}  // namespace sheaf::site
