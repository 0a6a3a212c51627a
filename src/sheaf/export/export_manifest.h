#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/feed_cursor.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::exporting {

/// A file of an export.
struct ShardFile {
  std::string name;  ///< within the folder of the data files
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::string sha256;

  friend bool operator==(const ShardFile&, const ShardFile&) = default;
};

/// What an export wrote to a folder: sheaf-export.json in it. The next export knows by it which files are
/// its own, and a consumer which files belong together.
struct ExportManifest {
  std::optional<store::FeedCursor> after;  ///< the files have the changes after this one; else all pages
  store::FeedCursor cursor;                ///< the newest change of the store that they contain
  std::uint64_t rows = 0;
  std::vector<ShardFile> files;
};

inline constexpr std::string_view kManifestName = "sheaf-export.json";

std::string manifest_json(const ExportManifest& manifest);

/// nullopt where the folder has none. Errors: invalid_data where it is not one that we wrote.
base::Result<std::optional<ExportManifest>> read_manifest(const std::filesystem::path& folder);
base::Result<void> write_manifest(const std::filesystem::path& folder, const ExportManifest& manifest);

}  // namespace sheaf::exporting
