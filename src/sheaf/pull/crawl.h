#pragma once

#include "sheaf/pull/discover.h"
#include "sheaf/pull/downloads.h"
#include "sheaf/pull/pull.h"

#include <functional>
#include <optional>
#include <string_view>

namespace sheaf::pull {

/// Whether the store has the page from a collection, so that it need not be fetched. `lastmod` is that of the
/// sitemap. Called from several threads.
using HeldFilter =
    std::function<base::Result<bool>(std::string_view url, const std::optional<Instant>& lastmod)>;

/// A site to be fetched page by page.
struct CrawlTask {
  store::PageStore& store;
  std::string site;  ///< its name in the store
  const base::Url& address;
  const RobotsResponse& robots;
  Downloads& downloads;
  const PullOptions& options;
  HeldFilter is_held = {};                    ///< empty: everything is fetched
  quality::QualityReport* quality = nullptr;  ///< gets URLs that are not even visited; may be null
};

struct CrawlResult {
  CrawlReport report;
  Failure failure;  ///< why pages are missing; empty if none are missing, or if only the time budget ended
  std::vector<std::string> notes;  ///< for the user, one sentence each
  http::fetch::FetchUse use;
  std::optional<PriceOffer> offer = {};  ///< of the first page that costs something
};

/// The section of a site that has the pages of its crawls, if there is one.
base::Result<std::optional<std::string>> find_crawled_section(const store::PageStore& store,
                                                              std::string_view site);

/// Where the pages of a crawl are kept: the section that has them already, else kHtmlSection, or
/// kHtmlSection-2 and so on if the site itself has published a section of that name. A section is filled
/// either by collections or by crawls, never by both.
base::Result<std::string> choose_crawl_section(const store::PageStore& store, std::string_view site);

/// Continues the pass that was interrupted, or begins another: lists the pages of the sitemaps (if they name
/// none, follows links), requests everything that is due, and stores it in the section of
/// choose_crawl_section(). May be stopped at any point; the next call continues there. Errors are those of
/// the store and the disk.
base::Result<CrawlResult> crawl(const CrawlTask& task);

}  // namespace sheaf::pull
