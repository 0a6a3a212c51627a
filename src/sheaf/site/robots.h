#pragma once

#include "sheaf/base/url.h"
#include <sheaf/robots.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::site {

/// The path and query of a URL, normalised for matching (RFC 9309, 2.2.2).
///
/// There are two normal forms, because the RFC and common practice differ on reserved characters:
/// - `literal`: %XX of an unreserved character is decoded, and characters that are neither reserved nor
///   unreserved are encoded. A reserved character and its %XX differ.
/// - `relaxed`: %XX of a reserved character is decoded too, unless that would change the structure of the URL
///   ("/" and "?" in a path, "&", "=" and "+" in a query).
/// A pattern matches a URL if it matches in either form.
struct RobotsPath {
  explicit RobotsPath(std::string_view path_and_query);

  std::string literal;
  std::string relaxed;
};

/// The value of an Allow or Disallow line. "*" matches any characters, "$" at the end matches the end.
class RobotsPattern {
 public:
  explicit RobotsPattern(std::string_view text);

  /// The worst-case time is proportional to the product of both lengths, for any wildcards.
  [[nodiscard]] bool matches(const RobotsPath& path) const;

  /// The length that decides which rule is more specific.
  [[nodiscard]] std::size_t octets() const { return octets_; }

 private:
  /// The literal parts between the wildcards. The first one is anchored at the start of the path.
  using Parts = std::vector<std::string>;
  [[nodiscard]] bool match(const Parts& parts, std::string_view path) const;

  Parts literal_;
  Parts relaxed_;  ///< empty if it would equal literal_
  bool anchored_ = false;
  std::size_t octets_ = 0;
};

/// How much of a robots.txt is read: the minimum that RFC 9309, 2.5 requires.
inline constexpr std::size_t kRobotsBytes = std::size_t{500} * 1024;
/// How long a robots.txt may be cached (RFC 9309, 2.4).
inline constexpr std::int64_t kRobotsSeconds = std::int64_t{24} * 3600;
/// How many redirects to follow (RFC 9309, 2.3.1.2).
inline constexpr unsigned kRobotsRedirects = 5;

/// What the response to a request for robots.txt means.
enum class RobotsAccess : std::uint8_t {
  read,        ///< 2xx: the body has the rules
  follow,      ///< 3xx: request the target
  keep,        ///< 304: what was read before still holds
  everything,  ///< 4xx, or too many redirects: there are no rules
  nothing,     ///< 5xx, 429 or no response: nothing may be fetched until there is a response
};

/// Judges a response by its status (0: no response) and the number of redirects followed. 429 is treated like
/// 5xx: a server that limits our rate has not said that there are no rules.
RobotsAccess judge_robots_status(int status, unsigned redirects_followed = 0) noexcept;

/// An Allow or Disallow line.
struct RobotsRule {
  bool allow = false;
  std::string text;  ///< the path as written
  RobotsPattern pattern;
  std::uint64_t line = 0;
};

using sheaf::RobotsFinding;

struct RobotsVerdict {
  bool allowed = true;
  const RobotsRule* rule = nullptr;  ///< the deciding rule; null if none matched. Borrows the RobotsRules.
};

/// The rules for one crawler.
class RobotsRules {
 public:
  /// The longest matching rule decides; on a tie, Allow wins. Without a matching rule the URL is allowed.
  /// /robots.txt itself is always allowed.
  [[nodiscard]] RobotsVerdict judge(const base::Url& url) const;
  /// The same for a path with its query.
  [[nodiscard]] RobotsVerdict judge_path(std::string_view path_and_query) const;

  /// The name of the group: the crawler's own, "*", or empty if no group applies.
  [[nodiscard]] const std::string& group() const { return group_; }
  /// The longest Crawl-delay of the group, in seconds. Not part of the RFC, but widely used.
  [[nodiscard]] std::optional<double> crawl_delay() const { return crawl_delay_; }
  [[nodiscard]] std::size_t size() const { return rules_.size(); }

 private:
  friend class RobotsTxt;
  std::vector<RobotsRule> rules_;  ///< the most specific first
  std::string group_;
  std::optional<double> crawl_delay_;
};

/// A robots.txt as in RFC 9309. Parsing does not fail: unknown lines are skipped.
class RobotsTxt {
 public:
  /// Reads at most `limit` bytes. A line cut by the limit is ignored.
  [[nodiscard]] static RobotsTxt parse(std::string_view bytes, std::size_t limit = kRobotsBytes);

  /// The rules for a crawler: those of all groups that name it (case-insensitive), or else of the "*" groups.
  /// `agent` is its product token. In a whole User-Agent header, the part before the first slash or space
  /// counts.
  [[nodiscard]] RobotsRules rules_for(std::string_view agent) const;

  /// The values of Sitemap lines, in order, as written.
  [[nodiscard]] const std::vector<std::string>& sitemaps() const { return sitemaps_; }
  /// Whether one of them is this URL after normalisation. Relative values are resolved against it.
  [[nodiscard]] bool lists_sitemap(const base::Url& sitemap) const;
  [[nodiscard]] bool truncated() const { return truncated_; }
  /// The first hundred problems.
  [[nodiscard]] const std::vector<RobotsFinding>& findings() const { return findings_; }

 private:
  friend class RobotsParser;
  /// The name of a user-agent line and its group.
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

/// Parses a robots.txt line by line into a RobotsTxt.
class RobotsParser {
 public:
  RobotsTxt parse(std::string_view bytes, std::size_t limit);

 private:
  void take_line(std::string_view line);
  void take_agent(std::string_view value);
  void take_rule(bool allow, std::string_view value);
  void take_crawl_delay(std::string_view value);
  void note(std::string message);

  RobotsTxt robots_;
  std::uint64_t line_ = 0;
  bool in_agents_ = false;       ///< the last record was a user-agent line, so another one joins its group
  std::size_t first_agent_ = 0;  ///< index of the first agent of the current group
};

}  // namespace sheaf::site
