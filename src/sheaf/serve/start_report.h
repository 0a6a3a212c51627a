#pragma once

#include "sheaf/serve/folder.h"
#include "sheaf/serve/folder_sitemaps.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::serve {

struct ServedSection {
  std::string name;
  std::optional<site::UpdateFreq> update_freq = {};
  std::uint64_t snapshots = 0;  ///< that the sitemap names and that are in the folder
  std::uint64_t deltas = 0;
  std::uint64_t bytes = 0;
};

/// What a folder offers; reported when the server starts.
struct StartReport {
  std::vector<ServedSection> sections;
  std::uint64_t files = 0;  ///< served files, including collections
  std::uint64_t collections = 0;
  std::uint64_t bytes = 0;
  /// One sentence each: files in the sitemap that are missing or have another size, expired files,
  /// collections that are unreadable or not listed, errors in the sitemap.
  std::vector<std::string> problems;
};

StartReport report_on(const Folder& folder, const FolderSitemaps& notices, Instant now);

}  // namespace sheaf::serve
