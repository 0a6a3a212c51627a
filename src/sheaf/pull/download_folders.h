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

/// Deletes folders of sites below `root` that are not pulled any more, and if the rest is over the total
/// limit the least recently used ones. What is deleted is fetched again when its site is pulled again. Never
/// fails: what cannot be deleted stays.
TidySummary tidy_downloads(const std::filesystem::path& root, const DownloadLimits& limits);

}  // namespace sheaf::pull
