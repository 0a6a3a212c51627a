#include "sheaf/pull/download_folders.h"

#include <algorithm>
#include <system_error>
#include <vector>

namespace sheaf::pull {
namespace {

namespace fs = std::filesystem;

struct SiteFolder {
  fs::path path;
  fs::file_time_type used;  ///< last use by a pull
  std::uint64_t bytes = 0;
};

SiteFolder look_at(const fs::path& path) {
  std::error_code error;
  SiteFolder folder{path, fs::last_write_time(path, error)};
  for (const auto& entry : fs::directory_iterator(path, error)) {
    std::error_code gone;
    const std::uintmax_t size = entry.file_size(gone);
    if (!gone) folder.bytes += size;
    // During a download only the modification time of the file changes, not that of the folder.
    const fs::file_time_type time = entry.last_write_time(gone);
    if (!gone) folder.used = std::max(folder.used, time);
  }
  return folder;
}

}  // namespace

TidySummary tidy_downloads(const fs::path& root, const DownloadLimits& limits) {
  std::vector<SiteFolder> folders;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root, error))
    if (entry.is_directory(error) && !entry.is_symlink(error)) folders.push_back(look_at(entry.path()));
  std::ranges::sort(folders, {}, &SiteFolder::used);
  std::uint64_t total = 0;
  for (const SiteFolder& folder : folders) total += folder.bytes;
  TidySummary summary;
  const auto now = fs::file_time_type::clock::now();
  for (const SiteFolder& folder : folders) {
    const bool stale = folder.used < now - limits.unused;
    const bool over = total > limits.total && folder.used < now - limits.in_use;
    if (!stale && !over) continue;
    std::error_code failed;
    fs::remove_all(folder.path, failed);
    if (failed) continue;
    total -= folder.bytes;
    ++summary.folders;
    summary.bytes += folder.bytes;
  }
  return summary;
}

}  // namespace sheaf::pull
