// sheaf/pull.h - bring the copy of a site up to date
//
// Fetches the collections that a site's sitemap lists: deltas if they lead from the local copy to the newest
// state, else a snapshot. If a site has no collections, its pages are fetched one by one and their content is
// extracted. The same as `sheaf pull`; docs/pulling.md explains the rules.
//
//     #include <sheaf/pull.h>
//     #include <sheaf/store.h>
//
//     #include <cstdio>
//
//     int main(int argc, char** argv) {
//       if (argc != 2) return 2;
//       auto store = sheaf::Store::open("copy", sheaf::StoreAccess::write);
//       if (!store) return std::fprintf(stderr, "%s\n", store.error().message.c_str()), 2;
//       sheaf::RequestOptions requests;
//       requests.user_agent = "ExampleBot/1.0 (+https://shop.example/bot)";  // who you are
//       requests.allow_private = true;                                       // 127.0.0.1, for a trial
//       const auto result = sheaf::pull_site(*store, argv[1], requests);
//       if (!result) return std::fprintf(stderr, "%s\n", result.error().message.c_str()), 2;
//       for (const sheaf::PullSectionReport& section : result->sections)
//         std::printf("%s: %d pages\n", section.section.c_str(), static_cast<int>(section.pages));
//       return result->ok ? 0 : (std::fprintf(stderr, "%s\n", result->failure.message.c_str()), 1);
//     }
//
// Politeness: robots.txt is obeyed, requests are spaced, and Retry-After is respected. Safety: addresses of
// private networks are refused unless allowed, sizes are limited, and pages of other hosts are not accepted.
//
// Errors: a failure of the site is part of the result (`ok`, `failure`), and the store keeps the
// previous copy. An Error is returned only if the store or the disk fails, or if `site` is not a URL.
//
// Threads: pulls of different sites into one store may run concurrently. The functions in PullOptions are
// called by the thread that pulls. pull_sites() calls them from several threads, but never concurrently.
#pragma once

#include <sheaf/collection.h>
#include <sheaf/delta.h>
#include <sheaf/error.h>
#include <sheaf/requests.h>
#include <sheaf/sitemap.h>
#include <sheaf/store.h>
#include <sheaf/time.h>
#include <sheaf/validate.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf {

/// When pages are fetched one by one.
enum class FetchPages : std::uint8_t {
  fallback,  ///< if there are no collections, or none that can be used
  never,
  always,  ///< even if there are collections
};

/// The section for pages that are fetched one by one, unless the site itself publishes a section with this
/// name.
inline constexpr std::string_view kHtmlSection = "html";

/// Progress of a pull, for a progress line.
struct PullProgress {
  std::string_view what;  ///< "fetch" or "apply" a collection, fetch "pages" one by one, or "pack" the store
  std::string_view name;  ///< of the section; empty for "pack"
  std::uint64_t bytes = 0;
  std::uint64_t pages = 0;
  std::uint64_t total = 0;  ///< pages for "pages", else bytes; 0 if unknown
};

struct PullReport;

struct PullOptions {
  std::vector<std::string> sections = {};    ///< sections to pull; default: `all`, or else every section
  std::vector<std::string> also_hosts = {};  ///< hosts whose pages the site may supply
  FetchPages html = FetchPages::fallback;
  Shrink shrink = Shrink::refuse;
  Limits limits = {};
  unsigned threads = 2;  ///< for reading a collection, and for extracting pages
  unsigned pack_threads =
      1;  ///< for packing the store, and large collections while they are applied; 0: do not pack
  bool reset = false;               ///< replace each section with its newest snapshot, even if that is older
  bool ignore_retry_after = false;  ///< pull before the time that the site asked to wait for
  bool keep_files = false;          ///< keep downloaded collections on disk after they are applied
  /// How often a snapshot is fetched of a section that is not proven by a state digest.
  std::chrono::seconds snapshot_every{kSnapshotEverySeconds};
  bool repair = false;     ///< fetch pages again that cannot be read in the store
  bool plan_only = false;  ///< fetch only robots.txt and sitemaps, and change nothing
  /// Bytes of downloaded files per site, and of its pages that are fetched one by one.
  std::uint64_t quota = std::uint64_t{50} << 30;
  std::uint64_t max_pages = 1'000'000;  ///< fetched one by one, per site; further pages are skipped
  std::chrono::seconds time_limit = std::chrono::hours(24);  ///< the next pull continues what takes longer
  std::function<Instant()> clock = sheaf::now;
  std::function<void(const PullProgress&)> progress = {};  ///< called repeatedly
  std::function<bool()> cancelled = {};  ///< polled; return true to stop the pull gracefully
};

/// Why a pull did not reach the newest state that a site offers. The set of codes is closed on purpose:
/// `--json`, `status` and the metrics use them, and operators build alerts on them.
enum class FailureCode : std::uint8_t {
  none,
  cancelled,             ///< the pull was stopped before it was done
  unresolvable_host,     ///< the host name has no address
  unreachable,           ///< no connection, cut off, timed out
  too_slow,              ///< the transfer was slower than the minimum rate or missed its deadline
  http_status,           ///< a response that is neither a success nor "not found"
  retry_later,           ///< the site asked for no requests until later (Retry-After)
  payment_required,      ///< the site demands payment (402)
  robots_unavailable,    ///< robots.txt could not be read, so nothing may be fetched
  robots_disallowed,     ///< robots.txt forbids a required request
  insecure_url,          ///< plain http inside an https chain
  forbidden_address,     ///< a private or loopback address
  unreadable_offers,     ///< a sitemap, or an entry for a collection in it, cannot be read whole
  section_withdrawn,     ///< no sitemap offers a stored section any more
  site_moved,            ///< the site redirects to another site
  no_collections,        ///< the site offers no collections, and crawling is not allowed
  no_pages,              ///< neither collections nor pages
  nothing_offered,       ///< no collection of the section can be used
  not_a_collection,      ///< the file clearly is something else
  invalid_collection,    ///< the file breaks the format
  too_large,             ///< a file exceeds a limit or the quota
  oversized_collection,  ///< the file is far larger than the sitemap says, so the download was aborted
  size_mismatch,         ///< the file's size is not what the sitemap says
  checksum_mismatch,     ///< the file's checksum is not what the sitemap says
  page_count_mismatch,   ///< the file's number of pages is not what the sitemap says
  unsigned_collection,   ///< a collection without a signature, from a site that must sign
  invalid_signature,     ///< the signature does not belong to the file, the section or the site
  untrusted_key,         ///< not the pinned key, a forged rotation, or a revoked key
  replayed_collection,   ///< validly signed, but older than the store
  stale_collection,      ///< the file is older than its sitemap entry or than the store
  future_collection,     ///< the file or its sitemap entry is dated in the future
  newest_unreachable,    ///< something newer is offered than what could be applied
  state_mismatch,        ///< the pages do not match the state digest that the site states
  shrink_held,           ///< held back by the shrink guard
  other_host_limit,      ///< the site names more files on other hosts than are fetched
  unreadable_page,       ///< a page breaks a rule of the format, or its content coding is unknown or damaged
  page_limit,            ///< the site has more pages than may be fetched one by one
  pages_failed,          ///< pages of a crawl could not be fetched
  disk_full,
  store_error,    ///< the store could not be read or written
  damaged_store,  ///< the store has lost data
  crashed,        ///< two pulls of the site did not end, so it is skipped for a while (CrashNotes)
  internal,       ///< a bug in sheaf
};
inline constexpr std::size_t kFailureCodes = static_cast<std::size_t>(FailureCode::internal) + 1;

/// The code as `--json` and the metrics write it: "state-mismatch".
std::string_view to_string(FailureCode code);

/// A code for programs and a sentence for people. `none` means no failure.
struct Failure {
  FailureCode code = FailureCode::none;
  std::string message = {};

  explicit operator bool() const { return code != FailureCode::none; }
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
  UnreadablePages unreadable;            ///< listed pages that break a rule of the format
  bool misdated = false;                 ///< the copy was dated in the future: it is rebuilt
  std::uint32_t failures = 0;            ///< failed pulls in a row, including this one
  std::optional<Instant> failing_since;  ///< start of the first failed pull, by our clock
  std::array<std::uint64_t, kFindingCodes> findings{};
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
  std::optional<QualitySummary> quality;  ///< if a quality report was asked for
  /// From Retry-After, if the site sent one.
  std::optional<std::chrono::seconds> retry_after;
  /// The shortest update interval that the site states.
  std::optional<std::int64_t> update_seconds;
};

/// Pulls one site. `site` is its URL ("https://example.com") or the URL of one of its sitemaps.
Result<PullReport> pull_site(Store& store, std::string_view site, const RequestOptions& requests = {},
                             const PullOptions& options = {});

struct FleetOptions {
  /// The interval between pulls of a site; default: the interval that the site states.
  std::optional<std::chrono::seconds> every = {};
  bool once = true;  ///< pull each site that is due, then return; otherwise continue until cancelled
  unsigned sites_at_once = 16;                            ///< pulled in parallel
  std::function<void(const PullReport&)> on_report = {};  ///< calls are serialised
};

/// Numbers of sites. pulled + failed + not_due + unfinished equals `sites`.
struct FleetSummary {
  std::uint64_t sites = 0;
  std::uint64_t pulled = 0;         ///< pulled in this run; the last pull succeeded
  std::uint64_t failed = 0;         ///< pulled in this run; the last pull failed
  std::uint64_t not_due = 0;        ///< not attempted in this run
  std::uint64_t still_failing = 0;  ///< among those not due: the last pull, in an earlier run, failed
  std::uint64_t unfinished = 0;     ///< due, but the run ended first
};

/// Pulls many sites, each when it is due, several of them concurrently. The store keeps the due times. Slow
/// sites do not delay the others.
Result<FleetSummary> pull_sites(Store& store, const std::vector<std::string>& sites,
                                const RequestOptions& requests = {}, const PullOptions& options = {},
                                const FleetOptions& fleet = {});

}  // namespace sheaf
