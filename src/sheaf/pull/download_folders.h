#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>

namespace sheaf::pull {

/// Limits of the download folders of all sites together.
struct DownloadLimits {
  std::uint64_t total = std::uint64_t{500} << 30;      ///< bytes
  std::chrono::hours unused = std::chrono::days(30);   ///< folders unused for this long are deleted
  std::chrono::hours in_use = std::chrono::hours(24);  ///< folders used within this time are never deleted
};

struct TidySummary {
  std::uint64_t folders = 0;  ///< deleted
  std::uint64_t bytes = 0;    ///< in them
};

/// Deletes the folders below `root` of sites that are no longer pulled. If the rest exceeds the total limit,
/// also deletes the least recently used folders. The files are fetched again when the site is pulled again.
/// Never fails: folders that cannot be deleted are kept.
TidySummary tidy_downloads(const std::filesystem::path& root, const DownloadLimits& limits);

}  // namespace sheaf::pull
