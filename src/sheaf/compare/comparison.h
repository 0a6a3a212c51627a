#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// What the Site Content Protocol saves on a site, compared with crawling it page by page.
namespace sheaf::compare {

/// What it costs to get the pages of a site in one way.
struct RetrievalCost {
  std::uint64_t first_bytes = 0;   ///< compressed bodies of the first visit
  std::uint64_t update_bytes = 0;  ///< compressed bodies of a later visit
  std::uint64_t first_requests = 0;
  std::uint64_t update_requests = 0;
  std::uint64_t parse_nanoseconds = 0;
};

struct Comparison {
  std::string site;                ///< a URL or a folder
  std::uint64_t pages = 0;         ///< pages of the site
  std::uint64_t sampled = 0;       ///< measured pages; if fewer than `pages`, the sums are extrapolated
  std::uint64_t skipped = 0;       ///< pages of the sample not counted: noindex, no content, or not loaded
  std::uint64_t html_bytes = 0;    ///< size of all pages, uncompressed
  double changed_share = 0.01;     ///< share of the pages that change between two visits
  bool is_share_measured = false;  ///< `changed_share` comes from the sitemap and is not assumed
  RetrievalCost crawl;             ///< page by page, fetching every page again at each visit
  /// Bytes of a later visit page by page with conditional requests, including the headers of 304 responses.
  std::uint64_t conditional_bytes = 0;
  RetrievalCost collections;           ///< collections compressed with zstd
  std::uint64_t gzip_snapshot = 0;     ///< size of the snapshot if compressed with gzip
  std::uint64_t tree_nanoseconds = 0;  ///< time to parse the HTML to trees, without extraction
  std::vector<std::string> notes;

  [[nodiscard]] bool is_extrapolated() const { return sampled < pages; }
};

/// A promise of draft 1 ("Goals") and the measured result.
struct Promise {
  std::string_view id;  ///< "first", "update", "requests", "parsing"
  std::string_view text;
  std::string_view kind;  ///< "bytes", "requests" or "time"
  double promised = 0;    ///< minimum saving in percent
  std::uint64_t crawl = 0;
  std::uint64_t collections = 0;

  /// The measured saving in percent; negative if collections cost more.
  [[nodiscard]] double saved() const;
  [[nodiscard]] bool is_met() const { return saved() >= promised; }
};

/// The four promises. Pure.
std::array<Promise, 4> judge_promises(const Comparison& comparison);

/// A self-contained HTML page with charts and without scripts. Pure.
std::string comparison_as_html(const Comparison& comparison);
/// One JSON object. Pure.
std::string comparison_as_json(const Comparison& comparison);
/// A table of a few lines for a terminal. Pure.
std::string describe_comparison(const Comparison& comparison);

}  // namespace sheaf::compare
