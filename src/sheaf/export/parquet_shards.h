#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/base/sha256.h"
#include "sheaf/export/export_manifest.h"
#include "sheaf/export/page_table.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::exporting {

struct ShardSettings {
  std::uint64_t shard_bytes = std::uint64_t{256} << 20U;  ///< compressed
  TableColumns columns;
  unsigned threads = 2;  ///< to compress with
  int level = 5;         ///< of zstd: 6 % smaller than 3 for a sixth more time
  bool sorted = true;    ///< rows come in the order of site, section and URL
  std::string prefix = "pages";
};

/// Writes a table of pages as Parquet files of about the same size.
///
/// A boundary depends on the pages around it and not on the number of pages before it: a page begins a new
/// file where a hash of its key is small for its size. So a page that is added, removed or changed moves the
/// boundaries near it at most, and all other files stay as they were, byte for byte. Files are named by a
/// hash of their first page's key, so that they keep their names too.
class ParquetShards {
 public:
  /// `before`: what the folder holds of an earlier export. A file that is the same again is not touched.
  ParquetShards(std::filesystem::path folder, ShardSettings settings, ExportManifest before);
  ~ParquetShards();
  ParquetShards(const ParquetShards&) = delete;
  ParquetShards& operator=(const ParquetShards&) = delete;

  base::Result<void> add(const PageRow& row, const Page& page);
  base::Result<void> add_removed(const PageRow& row);
  base::Result<void> finish();

  [[nodiscard]] const std::vector<ShardFile>& files() const { return files_; }
  [[nodiscard]] std::uint64_t untouched() const { return untouched_; }
  /// Of all files together.
  [[nodiscard]] const TableCounts& counts() const { return counts_; }

 private:
  struct Open;

  base::Result<void> begin_row(const PageRow& row, std::size_t bytes);
  base::Result<void> open_file(const std::string& key);
  base::Result<void> close_file();

  std::filesystem::path folder_;
  ShardSettings settings_;
  ExportManifest before_;
  std::unique_ptr<Open> open_;
  std::vector<ShardFile> files_;
  std::uint64_t untouched_ = 0;
  TableCounts counts_;
};

/// Whether a page with that key and that many bytes may begin a new file: on average one in `bytes_between`.
bool may_begin_shard(std::string_view key, std::uint64_t bytes, std::uint64_t bytes_between);

/// The order of pages in an export, and the identity of a row: site, section and URL.
std::string page_key(const PageRow& row);
/// Splits a key again. The views are into the key.
PageRow row_of_key(std::string_view key);

}  // namespace sheaf::exporting
