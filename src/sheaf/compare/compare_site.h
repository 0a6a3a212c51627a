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
  /// The share of the pages that changes between two visits; otherwise that of a day by the sitemap, if it
  /// has times, else 1 %.
  std::optional<double> changed_share = {};
  std::uint64_t sample = 50;              ///< pages of a live site
  std::chrono::milliseconds delay{1000};  ///< between requests; robots.txt may ask for more
  http::fetch::FetchOptions fetch = {};
  std::function<void(std::uint64_t bytes, std::uint64_t pages, std::uint64_t expected)> progress = {};
};

/// Measures the HTML pages in a folder, all of them.
base::Result<Comparison> compare_folder(const std::filesystem::path& folder, const base::Url& base,
                                        const CompareOptions& options);

/// Measures a sample of a live site's pages, evenly from its sitemaps, and extrapolates. robots.txt is
/// obeyed, and requests are spaced.
base::Result<Comparison> compare_live_site(const base::Url& site, const CompareOptions& options);

/// Multiplies what grows with the number of pages, for `pages` pages instead of those that were measured.
/// Pure.
void extrapolate(Comparison& comparison, std::uint64_t pages);

}  // namespace sheaf::compare
