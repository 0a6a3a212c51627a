#pragma once

#include "sheaf/pull/discover.h"
#include "sheaf/pull/downloads.h"
#include "sheaf/pull/pull.h"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::pull {

/// Whether the store has the page from a collection, so that it need not be fetched. `lastmod` is the one in
/// the sitemap. Called from several threads.
using HeldFilter =
    std::function<base::Result<bool>(std::string_view url, const std::optional<Instant>& lastmod)>;

/// Pages to fetch besides, or instead of, those that the site lists.
struct WantedPages {
  std::set<std::string, std::less<>> urls = {};
  /// Sections in the store whose pages are visited even if the site lists them no more.
  std::vector<std::string> sections = {};
  bool only = false;  ///< nothing else is fetched; copies of other pages are removed
};

/// A site to be fetched page by page.
struct CrawlTask {
  store::PageStore& store;
  std::string site;  ///< its name in the store
  const base::Url& address;
  const RobotsResponse& robots;
  Downloads& downloads;
  const SitePullOptions& options;
  HeldFilter is_held = {};  ///< empty: everything is fetched
  WantedPages wanted = {};
  quality::QualityReport* quality = nullptr;  ///< receives URLs skipped without a visit; may be null
};

struct CrawlResult {
  CrawlReport report;
  Failure failure;  ///< why pages are missing; empty if none are, or if only the time budget ran out
  std::vector<std::string> notes;  ///< for the user, one sentence each
  http::fetch::FetchUse use;
};

/// The section with the crawled pages of a site, if there is one.
base::Result<std::optional<std::string>> find_crawled_section(const store::PageStore& store,
                                                              std::string_view site);

/// The section for the crawled pages of a site: the one that already has them, else kHtmlSection, or
/// kHtmlSection-2 and so on if the site itself publishes a section with that name. A section is filled either
/// by collections or by crawls, never by both.
base::Result<std::string> choose_crawl_section(const store::PageStore& store, std::string_view site);

/// Continues the pass that was interrupted, or begins a new one: lists the pages of the sitemaps (or follows
/// links if the sitemaps name none), requests everything that is due, and stores it in the section of
/// choose_crawl_section(). May be stopped at any point; the next call continues there. Errors come from the
/// store and the disk.
base::Result<CrawlResult> crawl(const CrawlTask& task);

}  // namespace sheaf::pull
