#pragma once

#include "sheaf/base/url.h"
#include "sheaf/site/robots.h"
#include "sheaf/site/site_robots.h"

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace sheaf::site {

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
