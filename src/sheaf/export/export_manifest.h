#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/feed_cursor.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::exporting {

enum class FolderLayout : std::uint8_t {
  plain,        ///< files directly in the folder
  huggingface,  ///< files in data/, with a dataset card next to that folder
};

std::string_view to_string(FolderLayout layout);

/// A data file of an export.
struct ShardFile {
  std::string name;  ///< within the folder of the data files
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  std::string sha256;

  friend bool operator==(const ShardFile&, const ShardFile&) = default;
};

/// What an export wrote to a folder, stored there as sheaf-export.json. The next export uses it to recognise
/// the files it may replace, a consumer to know which files belong together.
struct ExportManifest {
  std::optional<store::FeedCursor> after;  ///< set: only changes after this one; nullopt: all pages
  store::FeedCursor cursor;                ///< the newest change of the store that they contain
  std::uint64_t rows = 0;
  std::vector<ShardFile> files;
  FolderLayout layout = FolderLayout::plain;
};

inline constexpr std::string_view kManifestName = "sheaf-export.json";

std::string manifest_json(const ExportManifest& manifest);

/// Returns nullopt if the folder has no manifest. Fails with Errc::invalid_data if it was not written by
/// sheaf.
base::Result<std::optional<ExportManifest>> read_manifest(const std::filesystem::path& folder);
base::Result<void> write_manifest(const std::filesystem::path& folder, const ExportManifest& manifest);

}  // namespace sheaf::exporting
