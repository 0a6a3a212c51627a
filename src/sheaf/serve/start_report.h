#pragma once

#include "sheaf/serve/folder.h"
#include "sheaf/serve/site_notices.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::serve {

struct ServedSection {
  std::string name;
  std::optional<site::UpdateFreq> update_freq = {};
  std::uint64_t snapshots = 0;  ///< that the sitemap names and the folder has
  std::uint64_t deltas = 0;
  std::uint64_t bytes = 0;
};

/// What a folder offers, reported when serving begins.
struct StartReport {
  std::vector<ServedSection> sections;
  std::uint64_t files = 0;  ///< served ones, collections included
  std::uint64_t collections = 0;
  std::uint64_t bytes = 0;
  /// One sentence each: files listed in the sitemap that are missing or have another size, expired ones,
  /// collections that are unreadable or not listed, errors in the sitemap.
  std::vector<std::string> problems;
};

StartReport report_on(const Folder& folder, const SiteNotices& notices, Instant now);

}  // namespace sheaf::serve
