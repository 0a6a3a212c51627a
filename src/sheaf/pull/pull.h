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

/// The section for pages that are fetched one by one, unless the site itself publishes a section with this
/// name.
inline constexpr std::string_view kHtmlSection = "html";

/// Options for fetching pages one by one.
struct CrawlOptions {
  std::uint64_t max_pages = 1'000'000;  ///< of a site; further pages are skipped
  std::uint64_t page_bytes = crawl::kPageBytes;
  /// After this time the crawl stops and is reported as incomplete; the next pull continues it.
  std::optional<std::chrono::seconds> budget = {};
  extract::LinkBlocks links = extract::LinkBlocks::content;
};

/// Progress of a pull, for a progress line.
struct PullProgress {
  std::string_view what;  ///< "fetch" or "apply" a collection, fetch "pages" one by one, or "pack" the store
  std::string_view name;  ///< of the section; empty for "pack"
  std::uint64_t bytes = 0;
  std::uint64_t pages = 0;
  std::uint64_t total = 0;  ///< pages for "pages", else bytes; 0 if unknown
};

/// Converts the progress of store::PageStore::pack to that of a pull. Returns an empty function if `progress`
/// is empty.
store::StoreProgressSink pack_progress(std::function<void(const PullProgress&)> progress);

struct PullReport;

/// With `fetch.allow_http`, collections over http are accepted from a site that has https.
struct PullOptions {
  http::fetch::FetchOptions fetch = {};
  unsigned first_tries = UINT_MAX;  ///< maximum for the first request (robots.txt), if `fetch` allows more
  format::Limits limits = {};
  unsigned threads = 2;  ///< for reading a collection, and for extracting pages
  unsigned pack_threads =
      1;  ///< for packing the store, and large collections while they are applied; 0: do not pack
  std::vector<std::string> sections = {};
  std::vector<std::string> also_hosts = {};  ///< hosts whose pages the site may supply
  format::Shrink shrink = format::Shrink::refuse;
  bool reset = false;               ///< replace each section with its newest snapshot, even if that is older
  bool ignore_retry_after = false;  ///< pull before the time that the site asked to wait for
  SigningOptions signing = {};
  bool keep_files = false;  ///< keep downloaded collections on disk after they are applied
  /// How often a snapshot is fetched of a section that is not proven by a state digest.
  std::chrono::seconds snapshot_every{kSnapshotEverySeconds};
  bool repair = false;     ///< fetch pages again that cannot be read in the store
  bool plan_only = false;  ///< fetch only robots.txt and sitemaps, and change nothing
  /// Bytes of downloaded files per site, and of its pages that are fetched one by one.
  std::uint64_t quota = std::uint64_t{50} << 30;
  std::chrono::seconds time_limit = std::chrono::hours(24);  ///< the next pull continues what takes longer
  OtherHostLimits other_hosts = {};
  FetchPages html = FetchPages::fallback;
  CrawlOptions crawl = {};
  /// Records the HTTP exchanges of pages that are fetched one by one, but not those of robots.txt, sitemaps
  /// and collections; may be null.
  http::fetch::ExchangeRecorder* page_recorder = nullptr;
  std::function<Instant()> clock = sheaf::now;
  std::function<void(const PullProgress&)> progress = {};
  std::function<bool()> cancelled = {};
  /// Adds notes to the last commit of the pull; not called if the pull is interrupted.
  std::function<void(const PullReport& report, store::SectionEdit& notes)> add_notes = {};
  /// Called with the quality report of each pulled site, on the thread that pulled it; an error ends the
  /// pull. To make the report, every page of the site is read from the store. Empty: no report is made.
  std::function<base::Result<void>(std::string_view site, const quality::QualityReport& report)> on_quality =
      {};
};

/// Result of pulling one section.
struct PullSectionReport : PageChanges {
  std::string section;
  SectionPlan plan;            ///< the last plan
  bool ok = false;             ///< the copy has the newest state that the site offers
  Failure failure;             ///< why not
  bool held_back = false;      ///< by the shrink guard
  bool losses_held = false;    ///< its pages may have moved to a section that was not pulled yet
  bool arrived = false;        ///< with losses_held: everything else that it offers is in the store
  bool covered = false;        ///< it failed, but other sections that have its pages were pulled
  bool invalid = false;        ///< a fetched file was not a valid collection
  std::uint64_t pages = 0;     ///< in the store now
  std::uint64_t applied = 0;   ///< collections
  std::optional<bool> proven;  ///< whether the pages match the stated digest
  bool resynchronised = false;
  store::UnreadablePages unreadable;     ///< listed pages that break a rule of the format
  bool misdated = false;                 ///< the copy was dated in the future: it is rebuilt
  std::uint32_t failures = 0;            ///< failed pulls in a row, including this one
  std::optional<Instant> failing_since;  ///< start of the first failed pull, by our clock
  std::array<std::uint64_t, format::kCodeCount> findings{};
};

/// The pages that a crawl could not fetch for one reason.
struct FailedPages {
  FailureCode code = FailureCode::none;
  std::uint64_t pages = 0;
  std::string first = {};  ///< the error message of the first one
};

/// Result of fetching pages one by one.
struct CrawlReport : PageChanges {
  bool complete = false;     ///< everything that was due was requested
  std::uint64_t listed = 0;  ///< known URLs
  std::uint64_t fetched = 0;
  std::uint64_t not_modified = 0;  ///< 304
  std::uint64_t fresh = 0;         ///< not requested: unchanged according to the sitemap
  std::uint64_t noindex = 0;
  std::uint64_t disallowed = 0;            ///< by robots.txt
  std::uint64_t no_page = 0;               ///< not HTML, or without content
  std::uint64_t duplicates = 0;            ///< the canonical URL is another page of the site
  std::uint64_t elsewhere = 0;             ///< on another site: by URL, redirect or canonical URL
  std::uint64_t missing = 0;               ///< 404, 410
  std::uint64_t failed = 0;                ///< could not be fetched; the sum of `failures`
  std::vector<FailedPages> failures = {};  ///< by reason, in the order of first occurrence
  std::uint64_t held = 0;                  ///< not requested: the store has them from collections
  std::uint64_t pages = 0;                 ///< in the store now
};

enum class PullRoute : std::uint8_t { none, collections, html, warc };
std::string_view to_string(PullRoute route);

struct PullReport {
  std::string site;
  Instant began;
  std::chrono::milliseconds took{0};
  PullRoute route = PullRoute::none;
  bool ok = false;
  Failure failure;  ///< why not
  std::vector<PullSectionReport> sections;
  std::optional<CrawlReport> crawl;
  std::vector<std::string> notes;  ///< for the user, one sentence each
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
  /// Estimated cost of crawling instead: one request per stored page, as large as its JSON, which is about
  /// the size of its compressed HTML.
  std::uint64_t crawl_requests = 0;
  std::uint64_t crawl_bytes = 0;
  std::optional<quality::QualitySummary> quality;  ///< if a quality report was asked for
  /// From Retry-After, if the site sent one.
  std::optional<std::chrono::seconds> retry_after;
  /// The shortest update interval that the site states.
  std::optional<std::int64_t> update_seconds;
};

/// Brings the store's copy of a site up to date. `address` is the site (https://example.com) or one of its
/// sitemaps; `downloads` is a folder for the site's files. Failures of the site are part of the report; an
/// Error means that the store or the disk failed.
base::Result<PullReport> pull_site(store::PageStore& store, const base::Url& address,
                                   const std::filesystem::path& downloads, const PullOptions& options);

}  // namespace sheaf::pull
