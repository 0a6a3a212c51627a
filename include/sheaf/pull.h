// sheaf/pull.h - bring the copy of a site up to date
//
// Fetches what a site's sitemap offers: deltas where they close the gap, else a snapshot. Where a site has no
// collections, its pages are fetched one by one and their content is extracted. The same as `sheaf pull`;
// docs/pulling.md explains the rules.
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
// Manners: robots.txt is obeyed, requests are spaced, and Retry-After is respected. Safety: addresses of
// private networks are refused unless allowed, sizes are limited, and pages of other hosts are not accepted.
//
// Errors: what goes wrong with the site is part of the result (`ok`, `code`, `message`); the store keeps what
// it had. An Error is for the store or the disk, with which nothing can go on, or for a site that is not a
// URL.
//
// Threads: several pulls into one store may run at a time, one for each site. The functions in PullSettings
// are called by the thread that pulls, and those of pull_sites by one thread at a time.
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

/// Whether pages are fetched one by one.
enum class FetchPages : std::uint8_t {
  fallback,  ///< where there are no collections, or none that can be used
  never,
  always,  ///< whatever collections are offered
};

struct PullSettings {
  std::string user_agent = "sheaf";        ///< name it after yourself, with a way to reach you
  std::string from = {};                   ///< your mail address, sent as From; none if empty
  std::vector<std::string> sections = {};  ///< only these; `all` or every one unless given
  FetchPages pages = FetchPages::fallback;
  Shrink shrink = Shrink::refuse;
  Limits limits = {};
  unsigned threads = 2;                  ///< for reading a collection, and for extracting pages
  bool allow_private = false;            ///< hosts in this machine's own or private networks
  bool allow_http = false;               ///< collections and sitemaps over http from a site that has https
  unsigned tries = 6;                    ///< of a request that may succeed another time
  std::chrono::seconds timeout{30};      ///< for a connection, and for an answer that stalls
  unsigned connections = 2;              ///< to a host at a time
  std::chrono::milliseconds delay{500};  ///< between two pages; robots.txt may ask for more
  std::uint64_t max_pages = 1'000'000;   ///< of a site, fetched one by one
  /// Called now and then. `section` is empty where the work is not about one; `total` is 0 if it is not
  /// known.
  std::function<void(std::string_view section, std::uint64_t done, std::uint64_t total)> progress = {};
  std::function<bool()> cancelled = {};  ///< asked now and then; true stops the pull in good order
};

/// What became of one section.
struct PulledSection : PageChanges {
  std::string section;
  bool ok = false;          ///< the copy is the newest state that the site offers
  std::string code;         ///< why not, for programs: "checksum-mismatch"; docs/pulling.md has them all
  std::string message;      ///< why not, for people
  std::uint64_t pages = 0;  ///< in the store now
  std::uint64_t collections = 0;  ///< applied
  std::optional<bool> proven;     ///< whether the pages add up to the state that the site declares
};

/// What one pull did.
struct PullResult {
  std::string site;
  bool ok = false;
  std::string code;  ///< why not, as in PulledSection
  std::string message;
  bool from_html = false;  ///< pages were fetched one by one: section "html"
  bool complete = true;    ///< false: there are more pages to fetch, and the next pull goes on there
  std::vector<PulledSection> sections;
  std::vector<std::string> notes;  ///< what a person should know
  std::uint64_t requests = 0;
  std::uint64_t bytes = 0;
};

/// Pulls one site: "https://example.com", or the URL of one of its sitemaps.
Result<PullResult> pull_site(Store& store, std::string_view site, const PullSettings& settings = {});

struct FleetSettings {
  PullSettings pull = {};
  /// How often a site is pulled; as each site says unless given.
  std::optional<std::chrono::seconds> every = {};
  bool once = true;  ///< pull what is due and return; otherwise go on until cancelled
  unsigned sites_at_once = 16;
  std::function<void(const PullResult&)> on_result = {};
};

/// What became of the sites: pulled + failed + not_due + unfinished is their number.
struct FleetResult {
  std::uint64_t sites = 0;
  std::uint64_t pulled = 0;
  std::uint64_t failed = 0;
  std::uint64_t not_due = 0;
  std::uint64_t unfinished = 0;  ///< were due, but the run ended first
};

/// Pulls many sites, each when it is due, several at a time. When each is due is kept in the store. Slow
/// sites do not hold up the others.
Result<FleetResult> pull_sites(Store& store, const std::vector<std::string>& sites,
                               const FleetSettings& settings = {});

}  // namespace sheaf
