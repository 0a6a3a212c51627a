// sheaf/robots.h - may a crawler fetch this?
//
// Parses and evaluates a robots.txt as RFC 9309 defines it: the longest matching rule decides; Allow wins a
// tie.
//
//     #include <sheaf/robots.h>
//
//     int main() {
//       const char* text = "User-agent: *\nDisallow: /private/\nSitemap: https://shop.example/sitemap.xml\n";
//       const sheaf::Robots robots(text, "ExampleBot/1.0");
//       const bool open = robots.allows("https://shop.example/hello");
//       const bool closed = !robots.allows("https://shop.example/private/x");
//       return open && closed && robots.sitemaps().size() == 1 ? 0 : 1;
//     }
//
// The caller fetches the file. RFC 9309: follow up to five redirects; a 4xx response means that there are no
// rules; after a 5xx response or none at all, fetch nothing; fetch the file again after a day at the latest.
//
// Lifetimes: a Robots owns all its data. Errors: none; invalid lines are skipped and reported by findings().
// Threads: several threads may use one object concurrently.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf {

/// A problem in a robots.txt. No problem is fatal.
struct RobotsFinding {
  std::uint64_t line = 0;  ///< 0: the whole file
  std::string message;
};

/// The rules of a robots.txt for one crawler.
class Robots {
 public:
  /// Reads at most 500 KiB, the minimum limit of RFC 9309. `agent` is the crawler's product token or its
  /// whole User-Agent header; of the header, only the part before the first slash or space is used.
  Robots(std::string_view bytes, std::string_view agent);
  ~Robots();
  Robots(Robots&&) noexcept;
  Robots& operator=(Robots&&) noexcept;

  /// Whether the crawler may fetch the URL. False if it is not an http or https URL.
  [[nodiscard]] bool allows(std::string_view url) const;
  /// The rule that decides, as written: "Disallow: /private/"; empty if no rule matches.
  [[nodiscard]] std::string rule_for(std::string_view url) const;
  /// The user agent of the group that applies: the crawler's name, "*", or empty if no group applies.
  [[nodiscard]] const std::string& group() const;
  /// The Crawl-delay, in seconds. Not part of the RFC, but widely used.
  [[nodiscard]] std::optional<double> crawl_delay() const;
  /// The values of Sitemap lines, in order, as written.
  [[nodiscard]] const std::vector<std::string>& sitemaps() const;
  /// The first hundred problems.
  [[nodiscard]] const std::vector<RobotsFinding>& findings() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf
