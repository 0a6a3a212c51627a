#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>

namespace sheaf::pull {

/// What all sites together may leave in their folders of downloads.
struct DownloadLimits {
  std::uint64_t total = std::uint64_t{500} << 30;      ///< bytes
  std::chrono::hours unused = std::chrono::days(30);   ///< a folder no pull has used for so long goes
  std::chrono::hours in_use = std::chrono::hours(24);  ///< one used within this time stays in any case
};

struct TidySummary {
  std::uint64_t folders = 0;  ///< deleted
  std::uint64_t bytes = 0;    ///< in them
};

/// Deletes folders of sites below `root` that are not pulled any more, and if the rest is over the total
/// limit the least recently used ones. What is deleted is fetched again when its site is pulled again. Never
/// fails: what cannot be deleted stays.
TidySummary tidy_downloads(const std::filesystem::path& root, const DownloadLimits& limits);

}  // namespace sheaf::pull
