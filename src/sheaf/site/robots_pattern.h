#pragma once

#include <cstddef>
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

}  // namespace sheaf::site
