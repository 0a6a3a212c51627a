#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/base/url.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/site/robots.h"
#include <sheaf/time.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sheaf::publish {

/// A page that a sitemap lists.
struct SiteEntry {
  std::string url;  ///< normalised, without fragment
  std::optional<Instant> lastmod;
};

struct SiteListingOptions {
  base::Url site;
  std::vector<std::string> sitemaps = {};  ///< used instead of those that robots.txt names
  http::fetch::FetchOptions fetch = {};
  /// Called with robots.txt before sitemaps are requested, so that its Crawl-delay can be obeyed.
  std::function<void(const site::RobotsTxt&)> on_robots = {};
  std::filesystem::path temporary = {};  ///< folder for data that does not fit in memory
};

/// The robots.txt of a live site, and the pages that its sitemaps list, without duplicates, on disk.
class SiteListing {
 public:
  /// Fails with Errc::io if robots.txt or a sitemap cannot be read: otherwise pages of that sitemap would
  /// count as removed.
  static base::Result<SiteListing> read(const SiteListingOptions& options);

  [[nodiscard]] const site::RobotsTxt& robots() const { return robots_; }
  /// Problems of the sitemaps, one sentence each.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

  /// Calls `use` for each entry in the order of the sitemaps, until it returns false.
  base::Result<void> each(const std::function<bool(SiteEntry)>& use) const;

 private:
  class Sink;
  struct Frame;

  SiteListing(site::RobotsTxt robots, base::SpoolFile entries)
      : robots_(std::move(robots)), entries_(std::move(entries)) {}

  site::RobotsTxt robots_;
  base::SpoolFile entries_;
  std::uint64_t count_ = 0;
  std::vector<std::string> notes_;
};

/// The listings of one run. Sources with the same user agent and list of sitemaps share one listing, so
/// robots.txt and each sitemap are requested only once.
class SiteListings {
 public:
  struct Found {
    std::shared_ptr<const SiteListing> listing;
    bool is_new = false;  ///< just read: its notes have not been reported yet
  };
  base::Result<Found> get(const SiteListingOptions& options);

 private:
  using Key = std::pair<std::string, std::vector<std::string>>;  ///< user agent and sitemaps
  std::map<Key, std::shared_ptr<const SiteListing>> listings_;
};

}  // namespace sheaf::publish
