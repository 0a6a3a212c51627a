#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::site {

/// The path and query of a URL, ready to be compared with patterns (RFC 9309, 2.2.2).
///
/// Two spellings are kept, since what the RFC says of reserved characters and what its readers do differ:
/// - `literal`: %XX of an unreserved character is that character; whatever is neither reserved nor unreserved
///   is %XX. So a reserved character and its %XX differ.
/// - `relaxed`: besides, the %XX of a reserved character is that character, unless that would change how the
///   URL divides ("/" and "?" in a path, "&", "=" and "+" in a query).
/// A pattern matches a URL if it does in either spelling.
struct RobotsPath {
  explicit RobotsPath(std::string_view path_and_query);

  std::string literal;
  std::string relaxed;
};

/// The value of an Allow or Disallow line: "*" stands for any characters, "$" at the end for the end.
class RobotsPattern {
 public:
  explicit RobotsPattern(std::string_view text);

  /// In time that grows with the product of the two lengths at worst, whatever the wildcards.
  [[nodiscard]] bool matches(const RobotsPath& path) const;

  /// What decides which rule is the more specific.
  [[nodiscard]] std::size_t octets() const { return octets_; }

 private:
  /// The literal parts between the wildcards, the first one at the path's beginning.
  using Parts = std::vector<std::string>;
  [[nodiscard]] bool match(const Parts& parts, std::string_view path) const;

  Parts literal_;
  Parts relaxed_;  ///< empty when it would be the same
  bool anchored_ = false;
  std::size_t octets_ = 0;
};

}  // namespace sheaf::site
