#pragma once

#include "sheaf/base/url.h"
#include "sheaf/site/robots_pattern.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::site {

/// What a parser must read at least (RFC 9309, 2.5), and what we read.
inline constexpr std::size_t kRobotsBytes = std::size_t{500} * 1024;
/// For how long a robots.txt may be used before it is fetched again (RFC 9309, 2.4).
inline constexpr std::int64_t kRobotsSeconds = std::int64_t{24} * 3600;
/// Redirects that are followed to a robots.txt (RFC 9309, 2.3.1.2).
inline constexpr unsigned kRobotsRedirects = 5;

/// What the answer to a request for robots.txt means.
enum class RobotsAccess : std::uint8_t {
  read,        ///< 2xx: the body has the rules
  follow,      ///< 3xx: ask where it points to
  keep,        ///< 304: what was read before still holds
  everything,  ///< 4xx, or a redirect too many: there are no rules
  nothing,     ///< 5xx, 429, no answer at all: nothing may be fetched until there is an answer
};

/// A pure function of the status (0: no answer) and the redirects followed so far. 429 counts with 5xx: a
/// server that asks for patience has not said that there are no rules.
RobotsAccess judge_robots_status(int status, unsigned redirects_followed = 0) noexcept;

/// An Allow or Disallow line.
struct RobotsRule {
  bool allow = false;
  std::string text;  ///< the path as written
  RobotsPattern pattern;
  std::uint64_t line = 0;
};

/// Something odd in a robots.txt. Nothing in one is ever fatal.
struct RobotsFinding {
  std::uint64_t line = 0;  ///< 0: the whole file
  std::string message;
};

struct RobotsVerdict {
  bool allowed = true;
  const RobotsRule* rule = nullptr;  ///< what decided; null if no rule matched. Lives as long as the rules.
};

/// The rules that one crawler has to obey.
class RobotsRules {
 public:
  /// Of the rules that match, the longest decides, Allow on a tie; without one the URL is allowed, and so is
  /// /robots.txt itself.
  [[nodiscard]] RobotsVerdict judge(const base::Url& url) const;
  /// The same for a path with its query, as it stands.
  [[nodiscard]] RobotsVerdict judge_path(std::string_view path_and_query) const;

  /// The name of the group: the crawler's own, "*", or empty when no group is meant for it.
  [[nodiscard]] const std::string& group() const { return group_; }
  /// The longest Crawl-delay of the group, in seconds. Not part of the RFC, but obeyed by many.
  [[nodiscard]] std::optional<double> crawl_delay() const { return crawl_delay_; }
  [[nodiscard]] std::size_t size() const { return rules_.size(); }

 private:
  friend class RobotsTxt;
  std::vector<RobotsRule> rules_;  ///< the one that counts for most first
  std::string group_;
  std::optional<double> crawl_delay_;
};

/// A robots.txt by RFC 9309. Parsing never fails: what cannot be understood is passed over.
class RobotsTxt {
 public:
  /// Reads at most `limit` bytes; the line that the limit cuts does not count.
  [[nodiscard]] static RobotsTxt parse(std::string_view bytes, std::size_t limit = kRobotsBytes);

  /// The rules for a crawler: of all groups that name it (in any case), or else of those for "*". `agent` is
  /// its product token; of a whole User-Agent header what comes before the first slash or space counts.
  [[nodiscard]] RobotsRules rules_for(std::string_view agent) const;

  /// The values of Sitemap lines, in order, as written.
  [[nodiscard]] const std::vector<std::string>& sitemaps() const { return sitemaps_; }
  /// Whether one of them is this address, however it is spelt. Relative ones are read against it.
  [[nodiscard]] bool lists_sitemap(const base::Url& sitemap) const;
  [[nodiscard]] bool truncated() const { return truncated_; }
  /// At most a hundred.
  [[nodiscard]] const std::vector<RobotsFinding>& findings() const { return findings_; }

 private:
  friend class RobotsParser;
  /// A user-agent line's name and the group it belongs to.
  struct Agent {
    std::string name;
    std::size_t group = 0;
    std::optional<double> crawl_delay;
  };

  std::vector<Agent> agents_;
  std::vector<std::vector<RobotsRule>> groups_;
  std::vector<std::string> sitemaps_;
  std::vector<RobotsFinding> findings_;
  bool truncated_ = false;
};

/// The product token at the front of a User-Agent header or of a user-agent line: letters, digits, - and _.
std::string_view product_token(std::string_view text) noexcept;

}  // namespace sheaf::site
