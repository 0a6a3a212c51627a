#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/compare/comparison.h"
#include "sheaf/http/fetch/fetcher.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

namespace sheaf::compare {

struct CompareOptions {
  /// Share of the pages that change between two visits. If not set, it is estimated as the share that changes
  /// per day according to the sitemaps, or assumed to be 1 % if they do not tell.
  std::optional<double> changed_share = {};
  std::uint64_t sample = 50;              ///< number of pages to measure on a live site
  std::chrono::milliseconds delay{1000};  ///< between requests; robots.txt may ask for more
  std::chrono::seconds max_time{900};     ///< for a live site; then the pages measured so far count
  http::fetch::FetchOptions fetch = {};
  /// Called after each page; `expected` is 0 if the number of pages is not known.
  std::function<void(std::uint64_t bytes, std::uint64_t pages, std::uint64_t expected)> progress = {};
};

/// Measures all HTML pages in a folder.
base::Result<Comparison> compare_folder(const std::filesystem::path& folder, const base::Url& base,
                                        const CompareOptions& options);

/// Measures a sample of a live site's pages, spread evenly over its sitemaps, and extrapolates to the whole
/// site. Obeys robots.txt and waits between requests.
base::Result<Comparison> compare_live_site(const base::Url& site, const CompareOptions& options);

/// Scales the figures that grow with the number of pages from the sample to the site, whose sitemaps list
/// `listed` pages. The share of pages that are skipped is assumed to be the same as in the sample. Pure.
void extrapolate(Comparison& comparison, std::uint64_t listed);

}  // namespace sheaf::compare
