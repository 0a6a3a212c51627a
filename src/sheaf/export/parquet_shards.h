#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/base/hash.h"
#include "sheaf/export/export_manifest.h"
#include "sheaf/parquet/parquet_writer.h"
#include <sheaf/page.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::exporting {

/// Optional columns of a table of pages.
struct TableColumns {
  bool json = false;  ///< each page as JSON
  bool op = false;    ///< "put" or "delete", for a table of changes
};

/// Identifies a row's page and its origin.
struct PageRow {
  std::string_view site;
  std::string_view section;
  std::string_view url;
  std::string_view source = {};  ///< "collections" or "html"
  std::string_view json = {};
};

/// Totals of a table, for reports.
struct TableCounts {
  std::uint64_t rows = 0;
  std::uint64_t removed = 0;  ///< rows with op "delete"
  std::uint64_t text_bytes = 0;
  std::uint64_t words = 0;
};

/// Writes pages as rows of Parquet, with the schema in docs/parquet.md.
class PageTable {
 public:
  PageTable(TableColumns columns, parquet::ParquetWriterOptions options, parquet::ByteSink sink);

  base::Result<void> add(const PageRow& row, const Page& page);
  /// Adds a row for a page that was removed.
  base::Result<void> add_removed(const PageRow& row);
  base::Result<void> finish() { return writer_.finish(); }

  [[nodiscard]] const TableCounts& counts() const { return counts_; }
  [[nodiscard]] const parquet::ParquetWriter& writer() const { return writer_; }

  static parquet::Schema schema(TableColumns columns);

 private:
  void put_time(std::size_t field, std::string_view time);
  void put_blocks(const Page& page);
  void put_block(const Block& block);

  TableColumns columns_;
  parquet::ParquetWriter writer_;
  std::string text_;
  TableCounts counts_;
};

struct ShardSettings {
  std::uint64_t shard_bytes = std::uint64_t{256} << 20U;  ///< approximate maximum size of a file, compressed
  TableColumns columns;
  unsigned threads = 2;  ///< threads that compress
  int level = 5;         ///< zstd level; files are 6 % smaller than with 3, in a sixth more time
  bool sorted = true;    ///< rows arrive in the order of site, section and URL
  std::string prefix = "pages";
};

/// Writes a table of pages as Parquet files of about the same size.
///
/// Boundaries are content-defined: a page begins a new file if the hash of its key is small relative to its
/// size. They do not depend on the number of pages before. So adding, removing or changing a page moves only
/// the boundaries near it, and all other files stay the same, byte for byte. A file is named by a hash of its
/// first page's key, so names stay the same too.
class ParquetShards {
 public:
  /// `before` describes the files of an earlier export in the folder. A file whose content is still the same
  /// is not touched. `unfinished` gets the name of each file before it appears in the folder.
  ParquetShards(std::filesystem::path folder, ShardSettings settings, ExportManifest before,
                UnfinishedExport* unfinished = nullptr);
  ~ParquetShards();
  ParquetShards(const ParquetShards&) = delete;
  ParquetShards& operator=(const ParquetShards&) = delete;

  base::Result<void> add(const PageRow& row, const Page& page);
  base::Result<void> add_removed(const PageRow& row);
  /// Without rows, writes one file that has only the schema.
  base::Result<void> finish();

  [[nodiscard]] const std::vector<ShardFile>& files() const { return files_; }
  [[nodiscard]] std::uint64_t untouched() const { return untouched_; }
  /// Totals of all files.
  [[nodiscard]] const TableCounts& counts() const { return counts_; }

 private:
  struct Open;

  base::Result<void> begin_row(const PageRow& row, std::size_t bytes);
  base::Result<void> open_file(const std::string& key);
  base::Result<void> close_file();

  std::filesystem::path folder_;
  ShardSettings settings_;
  ExportManifest before_;
  UnfinishedExport* unfinished_;
  std::unique_ptr<Open> open_;
  std::vector<ShardFile> files_;
  std::uint64_t untouched_ = 0;
  TableCounts counts_;
};

/// Whether a file can be one of ParquetShards, by its name.
bool is_shard_name(std::string_view name);

/// Whether a page with this key and size may begin a new file: on average one page per `bytes_between` bytes.
bool may_begin_shard(std::string_view key, std::uint64_t bytes, std::uint64_t bytes_between);

/// Identifies a row by site, section and URL. Keys sort in the order of an export.
std::string page_key(const PageRow& row);
/// Splits a key into its parts. The views point into the key.
PageRow row_of_key(std::string_view key);

}  // namespace sheaf::exporting
