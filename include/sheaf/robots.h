// sheaf/robots.h - may a crawler fetch this?
//
// A robots.txt by RFC 9309: the longest rule that matches decides, Allow on a tie.
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
// Fetching it is up to you. RFC 9309: follow up to five redirects; a 4xx answer means that there are no
// rules; with a 5xx answer or none at all, fetch nothing; ask again after a day at the latest.
//
// Lifetimes: a Robots owns everything. Errors: none; what cannot be understood is skipped, and findings()
// says so. Threads: any number may use one object.
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

/// A robots.txt, as it applies to one crawler.
class Robots {
 public:
  /// Reads at most 500 KiB, as RFC 9309 asks for. `agent` is the crawler's product token or its whole
  /// User-Agent header, of which what comes before the first slash or space counts.
  Robots(std::string_view bytes, std::string_view agent);
  ~Robots();
  Robots(Robots&&) noexcept;
  Robots& operator=(Robots&&) noexcept;

  /// Whether the crawler may fetch the URL. False for what is not an http or https URL.
  [[nodiscard]] bool allows(std::string_view url) const;
  /// The rule that decides, as written: "Disallow: /private/"; empty where none matches.
  [[nodiscard]] std::string rule_for(std::string_view url) const;
  /// The name of the group of rules: the crawler's own, "*", or empty when no group applies to it.
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
