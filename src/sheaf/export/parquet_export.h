#pragma once

#include "sheaf/base/error.h"
#include "sheaf/export/exporter.h"
#include "sheaf/export/parquet_shards.h"
#include "sheaf/format/deltas/collection_convert.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace sheaf::exporting {

enum class FolderLayout : std::uint8_t {
  plain,        ///< the files in the folder itself
  huggingface,  ///< the files in data/, with a dataset card beside it
};

struct ParquetOptions {
  ShardSettings shards;
  FolderLayout layout = FolderLayout::plain;
  std::optional<store::FeedCursor> after;  ///< only what changed after this change of the feed
  std::size_t sort_memory = std::size_t{48} << 20U;
};

struct ParquetSummary {
  Summary pages;
  std::vector<ShardFile> files;
  std::uint64_t bytes = 0;      ///< of the files
  std::uint64_t untouched = 0;  ///< files that were there already, the same
  std::uint64_t deleted = 0;    ///< files of the export before that are no longer part of it
  TableCounts counts;
  store::FeedCursor cursor;  ///< the newest change of the store that the files contain
};

/// Writes the selected pages as Parquet files (docs/parquet.md) to a folder, sorted by site, section and URL,
/// with sheaf-export.json that lists them. What an earlier export left in the folder is replaced. Errors:
/// refused where the folder has Parquet files that are not of an earlier export, or an export of another
/// kind.
base::Result<ParquetSummary> export_parquet(const store::PageStore& store, const Options& options,
                                            const ParquetOptions& parquet,
                                            const std::filesystem::path& folder);

/// The same as one file.
base::Result<ParquetSummary> export_parquet_file(const store::PageStore& store, const Options& options,
                                                 const ParquetOptions& parquet,
                                                 const std::filesystem::path& file);

/// A collection as one Parquet file: its pages in their order, without what a reader would skip, each URL
/// once. Of a delta also what it removes, with the column `op`.
base::Result<format::ConvertSummary> convert_to_parquet(const format::SourceOpener& input,
                                                        const std::filesystem::path& file,
                                                        const ShardSettings& settings,
                                                        const format::ConvertOptions& options);

}  // namespace sheaf::exporting
