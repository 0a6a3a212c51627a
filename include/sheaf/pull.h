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
//       sheaf::PullSettings settings;
//       settings.user_agent = "ExampleBot/1.0 (+https://shop.example/bot)";  // who you are
//       settings.allow_private = true;                                       // 127.0.0.1, for a trial
//       const auto result = sheaf::pull_site(*store, argv[1], settings);
//       if (!result) return std::fprintf(stderr, "%s\n", result.error().message.c_str()), 2;
//       for (const sheaf::PulledSection& section : result->sections)
//         std::printf("%s: %d pages\n", section.section.c_str(), static_cast<int>(section.pages));
//       return result->ok ? 0 : (std::fprintf(stderr, "%s\n", result->message.c_str()), 1);
//     }
//
// Politeness: robots.txt is obeyed, requests are spaced, and Retry-After is respected. Safety: addresses of
// private networks are refused unless allowed, sizes are limited, and pages of other hosts are not accepted.
//
// Errors: a failure of the site is part of the result (`ok`, `code`, `message`), and the store keeps the
// previous copy. An Error is returned only if the store or the disk fails, or if `site` is not a URL.
//
// Threads: pulls of different sites into one store may run concurrently. The functions in PullSettings are
// called by the thread that pulls. pull_sites() calls them from several threads, but never concurrently.
#pragma once

#include <sheaf/collection.h>
#include <sheaf/delta.h>
#include <sheaf/error.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf {

class Store;

/// When pages are fetched one by one.
enum class FetchPages : std::uint8_t {
  fallback,  ///< if there are no collections, or none that can be used
  never,
  always,  ///< even if there are collections
};

struct PullSettings {
  std::string user_agent = "sheaf";        ///< should identify you and say how to reach you
  std::string from = {};                   ///< your mail address for the From header; not sent if empty
  std::vector<std::string> sections = {};  ///< sections to pull; default: `all`, or else every section
  FetchPages pages = FetchPages::fallback;
  Shrink shrink = Shrink::refuse;
  Limits limits = {};
  unsigned threads = 2;                  ///< for reading a collection, and for extracting pages
  bool allow_private = false;            ///< allow hosts on this machine or in private networks
  bool allow_http = false;               ///< allow http for collections and sitemaps of an https site
  unsigned tries = 6;                    ///< attempts per request, for failures that may be temporary
  std::chrono::seconds timeout{30};      ///< for connecting, and for a response that stalls
  unsigned connections = 2;              ///< maximum number of concurrent connections per host
  std::chrono::milliseconds delay{500};  ///< delay between two pages; robots.txt may ask for more
  std::uint64_t max_pages = 1'000'000;   ///< maximum number of pages fetched one by one, per site
  /// Called repeatedly. `section` is empty if the work does not concern a section; `total` is 0 if unknown.
  std::function<void(std::string_view section, std::uint64_t done, std::uint64_t total)> progress = {};
  std::function<bool()> cancelled = {};  ///< polled; return true to stop the pull gracefully
};

/// The result for one section.
struct PulledSection : PageChanges {
  std::string section;
  bool ok = false;          ///< the copy is at the newest state that the site offers
  std::string code;         ///< failure code, for programs: "checksum-mismatch"; docs/pulling.md lists all
  std::string message;      ///< reason of the failure, for people
  std::uint64_t pages = 0;  ///< number of pages in the store after the pull
  std::uint64_t collections = 0;  ///< number of collections applied
  std::optional<bool> proven;     ///< whether the pages match the state digest that the site declares
};

/// The result of one pull.
struct PullResult {
  std::string site;
  bool ok = false;
  std::string code;  ///< failure code, as in PulledSection
  std::string message;
  bool from_html = false;  ///< pages were fetched one by one, into the section "html"
  bool complete = true;    ///< false: there are more pages to fetch, and the next pull continues with them
  std::vector<PulledSection> sections;
  std::vector<std::string> notes;  ///< notes for the operator
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
};

/// Pulls one site. `site` is its URL ("https://example.com") or the URL of one of its sitemaps.
Result<PullResult> pull_site(Store& store, std::string_view site, const PullSettings& settings = {});

struct FleetSettings {
  PullSettings pull = {};
  /// The interval between pulls of a site; default: the interval that the site states.
  std::optional<std::chrono::seconds> every = {};
  bool once = true;  ///< pull the sites that are due and return; otherwise continue until cancelled
  unsigned sites_at_once = 16;
  std::function<void(const PullResult&)> on_result = {};
};

/// Numbers of sites. `sites` is pulled + failed + not_due + unfinished.
struct FleetResult {
  std::uint64_t sites = 0;
  std::uint64_t pulled = 0;
  std::uint64_t failed = 0;
  std::uint64_t not_due = 0;
  std::uint64_t unfinished = 0;  ///< sites that were due, but the run ended before
};

/// Pulls many sites, each when it is due, several of them concurrently. The store keeps the due times. Slow
/// sites do not delay the others.
Result<FleetResult> pull_sites(Store& store, const std::vector<std::string>& sites,
                               const FleetSettings& settings = {});

}  // namespace sheaf
