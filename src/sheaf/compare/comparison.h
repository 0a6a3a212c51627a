#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What the Site Content Protocol saves on a site, against crawling it page by page.
namespace sheaf::compare {

/// One way to get the pages of a site.
struct WayCost {
  std::uint64_t first_bytes = 0;   ///< of the first visit: bodies, compressed
  std::uint64_t update_bytes = 0;  ///< of a later visit
  std::uint64_t first_requests = 0;
  std::uint64_t update_requests = 0;
  std::uint64_t parse_nanoseconds = 0;
};

struct Comparison {
  std::string site;                ///< a URL or a folder
  std::uint64_t pages = 0;         ///< of the site
  std::uint64_t sampled = 0;       ///< of these, measured; fewer than `pages`: the sums are extrapolated
  std::uint64_t skipped = 0;       ///< noindex, or not readable as pages
  std::uint64_t html_bytes = 0;    ///< of all pages, uncompressed
  double changed_share = 0.01;     ///< of the pages between two visits
  bool is_share_measured = false;  ///< from the sitemap; else it is an assumption
  WayCost crawl;                   ///< page by page, everything again at each visit
  std::uint64_t conditional_bytes =
      0;                            ///< of a later visit with conditional requests, headers of 304 included
  WayCost collections;              ///< zstd
  std::uint64_t gzip_snapshot = 0;  ///< size of the snapshot with gzip instead
  std::uint64_t tree_nanoseconds = 0;  ///< of parsing HTML to a tree only, without finding the content
  std::vector<std::string> notes;

  [[nodiscard]] bool is_extrapolated() const { return sampled < pages; }
};

/// A promise of draft 1 ("Goals"), and what was measured.
struct Promise {
  std::string_view id;  ///< "first", "update", "requests", "parsing"
  std::string_view text;
  std::string_view kind;  ///< "bytes", "requests" or "time"
  double promised = 0;    ///< the least share that is saved
  std::uint64_t crawl = 0;
  std::uint64_t collections = 0;

  /// The share that is saved, in percent; negative if it costs more.
  [[nodiscard]] double saved() const;
  [[nodiscard]] bool is_kept() const { return saved() >= promised; }
};

/// The four promises. Pure.
std::array<Promise, 4> judge_promises(const Comparison& comparison);

/// A page without scripts that needs no other file, with charts. Pure.
std::string comparison_as_html(const Comparison& comparison);
/// One JSON object. Pure.
std::string comparison_as_json(const Comparison& comparison);
/// A table of a few lines for a terminal. Pure.
std::string describe_comparison(const Comparison& comparison);

}  // namespace sheaf::compare
