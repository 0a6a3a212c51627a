#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
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

/// The list of files that an export is writing to a folder, stored there as sheaf-export.unfinished. The
/// manifest is written last, so it does not name the files of an export that was killed. This list does: each
/// name is on disk before its file appears. The file is locked while the export runs, and deleted when the
/// folder has nothing but that export.
class UnfinishedExport {
 public:
  /// Opens or creates the list. Fails with Errc::refused if another process is writing to the folder or if
  /// an unfinished export has another layout, and with Errc::invalid_data if the file is not such a list.
  static base::Result<UnfinishedExport> open(const std::filesystem::path& folder, FolderLayout layout);
  /// Deletes the list if it names no file: then the export has not changed the folder.
  ~UnfinishedExport();
  UnfinishedExport(UnfinishedExport&& other) noexcept = default;
  UnfinishedExport& operator=(UnfinishedExport&&) = delete;

  /// Whether an earlier export was interrupted. Then the content of files may differ from the manifest.
  [[nodiscard]] bool was_interrupted() const { return was_interrupted_; }
  [[nodiscard]] const std::set<std::string, std::less<>>& names() const { return names_; }

  /// Adds the name of a file that the export writes, replaces or deletes next. It is on disk when this
  /// returns.
  base::Result<void> add(const std::string& name);
  /// Deletes the list.
  base::Result<void> finish();

 private:
  UnfinishedExport(std::filesystem::path path, base::FileDescriptor file)
      : path_(std::move(path)), file_(std::move(file)) {}
  base::Result<void> read(FolderLayout layout);
  base::Result<void> begin(FolderLayout layout);

  std::filesystem::path path_;
  base::FileDescriptor file_;
  std::set<std::string, std::less<>> names_;
  bool was_interrupted_ = false;
};

inline constexpr std::string_view kUnfinishedName = "sheaf-export.unfinished";

}  // namespace sheaf::exporting
