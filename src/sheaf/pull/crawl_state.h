#pragma once

#include "sheaf/base/error.h"
#include "sheaf/crawl/url_record.h"
#include "sheaf/format/pages/page_encoder.h"
#include "sheaf/http/fetch/fetch_body.h"
#include "sheaf/pull/pull.h"
#include "sheaf/store/page_store.h"
#include <sheaf/time.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

// The crawl state of a site, kept in the store next to its pages, so that a crawl can stop at any point and
// continue there. It is stored as notes (named byte strings); only this file knows their names and format.
// Notes that are damaged or of a newer version count as missing.
namespace sheaf::pull {

/// The last robots.txt, kept for conditional requests.
struct RobotsCopy {
  http::fetch::Validators validators = {};
  std::string body = {};

  friend bool operator==(const RobotsCopy&, const RobotsCopy&) = default;
};

/// One pass over a site: every URL that is due is requested once.
struct CrawlPass {
  std::uint64_t number = 0;
  bool listed = false;    ///< the sitemaps were read
  bool by_links = false;  ///< the sitemaps named no pages, so links are followed
  bool ended = true;
  std::string section = std::string(kHtmlSection);  ///< where the pages are stored
  bool has_pages = false;                           ///< pages were stored there, in this or an earlier pass
  std::uint64_t failed = 0;                         ///< pages that could not be fetched in this pass
  bool only_wanted = false;  ///< only pages that the collections lack were fetched (WantedPages::only)
  std::string rules = {};    ///< digest of the robots.txt of the last pass that was completed

  friend bool operator==(const CrawlPass&, const CrawlPass&) = default;
};

/// A URL of the site, and its page in the store if there is one. Of the record, `detail`, `content_type` and
/// `robots_header` are not stored.
struct CrawledUrl {
  crawl::UrlRecord record = {};
  std::uint64_t listed = 0;   ///< number of the last pass in which a sitemap or a link named it
  std::uint64_t visited = 0;  ///< number of the last pass in which it was visited
  format::PageFingerprint fingerprint{};
  std::string modified = {};  ///< of the stored page
  // Of the HTML page, for the quality report.
  std::uint64_t shown_chars = 0;  ///< 0: not known
  bool has_own_title = true;

  friend bool operator==(const CrawledUrl&, const CrawledUrl&) = default;
};

std::string encode(const RobotsCopy& copy);
std::string encode(const CrawlPass& pass);
std::string encode(const CrawledUrl& url);
std::optional<RobotsCopy> decode_robots_copy(std::string_view bytes);
std::optional<CrawlPass> decode_crawl_pass(std::string_view bytes);
std::optional<CrawledUrl> decode_crawled_url(std::string_view bytes);

/// The crawl state of one site. Changes are part of a store edit, so a page and its record are committed
/// together.
class CrawlState {
 public:
  using Edit = store::SectionEdit;

  CrawlState(const store::PageStore& store, std::string site) : store_(&store), site_(std::move(site)) {}

  [[nodiscard]] base::Result<std::optional<RobotsCopy>> robots() const;
  [[nodiscard]] base::Result<std::optional<CrawlPass>> pass() const;
  /// Bytes of a crawl::SiteTemplate; empty if there is none.
  [[nodiscard]] base::Result<std::string> site_template() const;
  /// The record of a URL; its fate is `unknown` if none is stored.
  [[nodiscard]] base::Result<CrawledUrl> url(const std::string& url) const;
  /// Calls `use` for every URL, in the order of the hashes, until it returns false.
  base::Result<void> each_url(const std::function<bool(CrawledUrl)>& use) const;

  static void put(Edit& edit, const RobotsCopy& copy);
  static void put(Edit& edit, const CrawlPass& pass);
  static void put(Edit& edit, const CrawledUrl& url);
  static void put_template(Edit& edit, std::string_view bytes);
  static void remove_url(Edit& edit, std::string_view url);
  static void remove_urls(Edit& edit);
  /// Removes everything except the copy of robots.txt.
  static void remove_crawl(Edit& edit);

 private:
  const store::PageStore* store_;
  std::string site_;
};

}  // namespace sheaf::pull
