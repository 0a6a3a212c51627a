#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/crawl/crawl_rules.h"
#include "sheaf/extract/extract.h"
#include "sheaf/format/deltas/delta_rules.h"
#include "sheaf/format/limits.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/offers/pull_plan.h"
#include "sheaf/pull/failure.h"
#include "sheaf/pull/other_hosts.h"
#include "sheaf/pull/site_signing.h"
#include "sheaf/quality/quality_report.h"
#include "sheaf/store/page_store.h"
#include <sheaf/pull.h>
#include <sheaf/time.h>

#include <chrono>
#include <climits>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Pulls one site: brings its copy in a store up to date.
namespace sheaf::pull {

using offers::choose_sections;
using offers::group_by_section;
using offers::Held;
using offers::is_misdated;
using offers::kSnapshotEverySeconds;
using offers::kWholeSite;
using offers::newest_of;
using offers::OffersBySection;
using offers::plan_section;
using offers::PlanKind;
using offers::PlanRules;
using offers::SectionPlan;
using offers::stated_pages;
using offers::to_string;
using sheaf::CrawlReport;
using sheaf::FailedPages;
using sheaf::FetchPages;
using sheaf::kHtmlSection;
using sheaf::PullOptions;
using sheaf::PullProgress;
using sheaf::PullReport;
using sheaf::PullRoute;
using sheaf::PullSectionReport;

/// Options for fetching pages one by one.
struct CrawlOptions {
  std::uint64_t page_bytes = crawl::kPageBytes;
  /// After this time the crawl stops and is reported as incomplete; the next pull continues it.
  std::optional<std::chrono::seconds> budget = {};
  extract::LinkBlocks links = extract::LinkBlocks::content;
};

/// Converts the progress of store::PageStore::pack to that of a pull. Returns an empty function if `progress`
/// is empty.
store::StoreProgressSink pack_progress(std::function<void(const PullProgress&)> progress);

/// With `fetch.allow_http`, collections over http are accepted from a site that has https.
struct SitePullOptions : PullOptions {
  http::fetch::FetchOptions fetch = {};
  unsigned first_tries = UINT_MAX;  ///< maximum for the first request (robots.txt), if `fetch` allows more
  SigningOptions signing = {};
  OtherHostLimits other_hosts = {};
  CrawlOptions crawl = {};
  /// Records the HTTP exchanges of pages that are fetched one by one, but not those of robots.txt, sitemaps
  /// and collections; may be null.
  http::fetch::ExchangeRecorder* page_recorder = nullptr;
  /// Adds notes to the last commit of the pull; not called if the pull is interrupted.
  std::function<void(const PullReport& report, store::SectionEdit& notes)> add_notes = {};
  /// Called with the quality report of each pulled site, on the thread that pulled it; an error ends the
  /// pull. To make the report, every page of the site is read from the store. Empty: no report is made.
  std::function<base::Result<void>(std::string_view site, const quality::QualityReport& report)> on_quality =
      {};
};

/// Brings the store's copy of a site up to date. `address` is the site (https://example.com) or one of its
/// sitemaps; `downloads` is a folder for the site's files. Failures of the site are part of the report; an
/// Error means that the store or the disk failed.
base::Result<PullReport> pull_site(store::PageStore& store, const base::Url& address,
                                   const std::filesystem::path& downloads, const SitePullOptions& options);

}  // namespace sheaf::pull
