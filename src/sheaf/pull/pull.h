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
#include "sheaf/pull/payment.h"
#include "sheaf/pull/price_offer.h"
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
using offers::OffersBySection;
using offers::plan_section;
using offers::PlanKind;
using offers::PlanRules;
using offers::SectionPlan;
using offers::to_string;

/// The section for pages that are fetched one by one, unless the site itself has a section of that name.
inline constexpr std::string_view kHtmlSection = "html";

/// How pages are fetched one by one.
struct CrawlOptions {
  unsigned connections = 2;              ///< at a time
  std::chrono::milliseconds delay{500};  ///< between two requests; robots.txt may ask for more
  std::uint64_t max_pages = 1'000'000;   ///< of a site; more are skipped
  std::uint64_t page_bytes = crawl::kPageBytes;
  /// After this time the crawl stops and reports that it is not complete; the next one continues there.
  std::optional<std::chrono::seconds> budget = {};
  extract::LinkBlocks links = extract::LinkBlocks::content;
};

/// Progress of a pull, for a progress line.
struct PullProgress {
  std::string_view what;  ///< "fetch" and "apply" of collections, "pages" one by one, "pack" of the store
  std::string_view name;  ///< of the section; none for "pack"
  std::uint64_t bytes = 0;
  std::uint64_t pages = 0;
  std::uint64_t total = 0;  ///< pages for "pages", else bytes; 0 if unknown
};

/// Reports the progress of store::PageStore::pack as that of a pull. Empty if `progress` is.
store::StoreProgressSink pack_progress(std::function<void(const PullProgress&)> progress);

struct PullReport;

struct PullOptions {
  http::fetch::FetchOptions fetch = {};
  unsigned first_tries = UINT_MAX;  ///< for the first request, robots.txt, where `fetch` allows more
  format::Limits limits = {};
  unsigned threads = 2;  ///< for reading a collection, and for extracting pages
  unsigned pack_threads =
      1;  ///< for packing large collections while they are applied, and the store; 0: none
  std::vector<std::string> sections = {};
  std::vector<std::string> also_hosts = {};  ///< whose pages the site may supply (parse_also_host)
  format::Shrink shrink = format::Shrink::refuse;
  bool reset = false;       ///< replace each section by its newest snapshot, even an older one
  bool allow_http = false;  ///< collections over http, of a site that has https
  SigningOptions signing = {};
  PaymentOptions payment = {};  ///< nothing is paid unless both are given
  bool keep_files = false;      ///< downloaded collections stay on disk after they are applied
  /// How often a snapshot is fetched of a section that no state digest proves.
  std::chrono::seconds snapshot_every{kSnapshotEverySeconds};
  bool repair = false;     ///< pages in the store that cannot be read are fetched again
  bool plan_only = false;  ///< nothing is fetched but robots.txt and sitemaps, nothing is changed
  std::uint64_t quota = std::uint64_t{100} << 30;  ///< bytes of downloaded files of a site
  OtherHostLimits other_hosts = {};
  FetchPages html = FetchPages::fallback;
  CrawlOptions crawl = {};
  /// Gets the exchanges of pages that are fetched one by one, not those of robots.txt, sitemaps and
  /// collections; may be null.
  http::fetch::ExchangeRecorder* page_recorder = nullptr;
  std::function<Instant()> clock = sheaf::now;
  std::function<void(const PullProgress&)> progress = {};
  std::function<bool()> cancelled = {};
  /// Adds notes to the commit that ends the pull; not called for one that was interrupted.
  std::function<void(const PullReport& report, store::SectionEdit& notes)> add_notes = {};
  /// Gets the quality report of each site that was pulled, from the thread that pulled it; an error ends the
  /// pull. For the report every page of the site is read from the store. Empty: none is made.
  std::function<base::Result<void>(std::string_view site, const quality::QualityReport& report)> on_quality =
      {};
};

/// Result of pulling one section.
struct PullSectionReport : PageChanges {
  std::string section;
  SectionPlan plan;            ///< the last one made
  bool ok = false;             ///< the copy is the newest state that the site offers
  Failure failure;             ///< why not
  bool held_back = false;      ///< by the shrink guard
  bool covered = false;        ///< it failed, but other sections were pulled that have its pages
  bool invalid = false;        ///< a fetched file was not a valid collection
  std::uint64_t pages = 0;     ///< in the store now
  std::uint64_t applied = 0;   ///< collections
  std::optional<bool> proven;  ///< whether the pages match the stated digest
  bool resynchronised = false;
  bool misdated = false;                 ///< it was dated in the future and rebuilt from a snapshot
  std::uint32_t failures = 0;            ///< failed pulls in a row, including this one
  std::optional<Instant> failing_since;  ///< start of the first of them, by our clock
  std::array<std::uint64_t, format::kCodeCount> findings{};
};

/// Pages that a crawl could not fetch, for the same reason.
struct FailedPages {
  FailureCode code = FailureCode::none;
  std::uint64_t pages = 0;
  std::string first = {};  ///< what happened to the first of them
};

/// Result of fetching pages one by one.
struct CrawlReport : PageChanges {
  bool complete = false;     ///< everything that was due was requested
  std::uint64_t listed = 0;  ///< known URLs
  std::uint64_t fetched = 0;
  std::uint64_t not_modified = 0;  ///< 304
  std::uint64_t fresh = 0;         ///< not requested: unchanged by the sitemap
  std::uint64_t noindex = 0;
  std::uint64_t disallowed = 0;            ///< by robots.txt
  std::uint64_t no_page = 0;               ///< not HTML, or without content
  std::uint64_t duplicates = 0;            ///< the canonical URL is another page of the site
  std::uint64_t elsewhere = 0;             ///< on another site: by URL, redirect or canonical URL
  std::uint64_t missing = 0;               ///< 404, 410
  std::uint64_t failed = 0;                ///< could not be fetched: the sum of `failures`
  std::vector<FailedPages> failures = {};  ///< by reason, the first to occur first
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
  /// Estimated cost of fetching each page instead: one request per stored page, as large as its JSON, which
  /// is about the size of its compressed HTML.
  std::uint64_t crawl_requests = 0;
  std::uint64_t crawl_bytes = 0;
  std::optional<PriceOffer> offer;                 ///< that was not accepted
  std::string paid;                                ///< "USD 0.05": the total of the offers that were accepted
  std::optional<quality::QualitySummary> quality;  ///< if a quality report was asked for
  /// From Retry-After, if the site sent one.
  std::optional<std::chrono::seconds> retry_after;
  /// The shortest update interval that the site states.
  std::optional<std::int64_t> update_seconds;
};

/// Brings the store's copy of a site up to date. `address` is the site (https://example.com), or one of its
/// sitemaps. Failures of the site are part of the report; an Error means that the store or the disk failed.
/// `downloads` is a folder for the site's files.
base::Result<PullReport> pull_site(store::PageStore& store, const base::Url& address,
                                   const std::filesystem::path& downloads, const PullOptions& options);

}  // namespace sheaf::pull
