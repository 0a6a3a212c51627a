#pragma once

#include "sheaf/base/error.h"
#include "sheaf/export/exporter.h"
#include "sheaf/export/parquet_shards.h"
#include "sheaf/format/deltas/collection_delta.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace sheaf::exporting {

struct ParquetOptions {
  ShardSettings shards;
  FolderLayout layout = FolderLayout::plain;
  std::optional<store::FeedCursor> after;  ///< set: only changes after this position in the feed
  std::size_t sort_memory = std::size_t{48} << 20U;
};

struct ParquetSummary {
  ExportSummary pages;
  std::vector<ShardFile> files;
  std::uint64_t bytes = 0;      ///< total size of the files
  std::uint64_t untouched = 0;  ///< files that existed already with the same content
  std::uint64_t deleted = 0;    ///< files of the previous export that are no longer part of it
  TableCounts counts;
  store::FeedCursor cursor;  ///< the newest change of the store that the files contain
};

/// Writes the selected pages as Parquet files (docs/parquet.md) to a folder, sorted by site, section and URL,
/// and lists the files in sheaf-export.json. Changes are written in feed order. Replaces the files of an
/// earlier export in the folder, also of one that was killed (export_manifest.h). Fails with Errc::refused
/// if the folder has Parquet files that no earlier export wrote, or an export of another kind.
base::Result<ParquetSummary> export_parquet(const store::PageStore& store, const ExportOptions& options,
                                            const ParquetOptions& parquet,
                                            const std::filesystem::path& folder);

/// Like export_parquet, but writes one file.
base::Result<ParquetSummary> export_parquet_file(const store::PageStore& store, const ExportOptions& options,
                                                 const ParquetOptions& parquet,
                                                 const std::filesystem::path& file);

/// Converts a collection to one Parquet file: its pages in their order, without those that a reader would
/// skip, each URL once. A delta also gets a row for each removed URL, and the column `op`.
base::Result<format::ConvertSummary> convert_to_parquet(const format::SourceOpener& input,
                                                        const std::filesystem::path& file,
                                                        const ShardSettings& settings,
                                                        const format::ConvertOptions& options);

}  // namespace sheaf::exporting
