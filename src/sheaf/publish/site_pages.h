#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/time.h"
#include "sheaf/base/url.h"
#include "sheaf/http/fetch.h"
#include "sheaf/publish/page_copies.h"
#include "sheaf/publish/source.h"
#include "sheaf/site/origin_robots.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sheaf::publish {

/// A page that a sitemap names.
struct SiteEntry {
  std::string url;  ///< in its normal form, without fragment
  std::optional<base::Instant> lastmod;
};

/// What became of it.
struct SitePage {
  SourceItem item;
  std::string
      trouble;  ///< why it could not be had this time; the item is then that of its copy, if it has one
};

struct SitePageOptions {
  base::Url base;              ///< of the site; redirects that leave its host are not followed
  site::OriginRobots& robots;  ///< of http and https, each with its own rules
  base::Instant pass_began;    ///< copies that were checked since then are as good as new
  std::uint64_t page_bytes = std::uint64_t{32} << 20;
};

/// Asks a live site for its pages, with what is known of them. One thread at a time, with a fetcher of its
/// own.
class SitePages {
 public:
  SitePages(http::FetchOptions fetch, const SitePageOptions& options, PageCopies& copies)
      : fetcher_(std::move(fetch)), options_(options), copies_(copies) {}

  /// An error is the disk's; whatever the site does is part of the result.
  base::Result<SitePage> get(const SiteEntry& entry);

 private:
  struct Answer;
  /// Whether a URL is of the site that is published.
  [[nodiscard]] bool is_inside(const base::Url& url) const;
  base::Result<Answer> ask(const SiteEntry& entry, const std::optional<PageCopy>& copy);
  base::Result<SitePage> take(const SiteEntry& entry, std::optional<PageCopy> copy, Answer answer);
  base::Result<SitePage> keep(const SiteEntry& entry, PageCopy copy, std::string body);
  base::Result<SitePage> from_copy(const SiteEntry& entry, const PageCopy& copy);
  base::Result<SitePage> in_trouble(const SiteEntry& entry, std::optional<PageCopy> copy, std::string why);

  http::Fetcher fetcher_;
  SitePageOptions options_;
  PageCopies& copies_;
};

}  // namespace sheaf::publish
