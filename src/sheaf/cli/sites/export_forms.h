#pragma once

#include "sheaf/base/error.h"
#include "sheaf/cli/options/command_line.h"
#include "sheaf/export/exporter.h"
#include "sheaf/export/page_chunks.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sheaf::cli {

/// Adds --max-chars and --overlap.
void add_chunk_options(const Command& command, exporting::ChunkRules& rules);
/// Fails with invalid_argument if the overlap is more than half of a chunk.
base::Result<void> check_chunk_rules(const exporting::ChunkRules& rules);
/// Fails with Errc::io if standard output failed: a state must not be written for lines that were not
/// delivered.
base::Result<void> check_printed();

/// The Parquet options of `export`.
struct ParquetArguments {
  std::optional<std::uint64_t> shard_size;
  std::string layout;
  bool raw_json = false;
  // Options that other formats have too.
  std::optional<store::FeedCursor> after = {};
  std::optional<int> level = {};
  bool json = false;

  [[nodiscard]] bool is_given() const { return shard_size || !layout.empty() || raw_json; }
};

/// Adds --shard-size, --layout and --raw-json.
void add_parquet_options(const Command& command, ParquetArguments& arguments);

/// Exports to a folder, or to one file if its name ends in .parquet, and reports what was written.
base::Result<void> export_to_parquet(const store::PageStore& store, const ExportOptions& library,
                                     const ParquetArguments& arguments, const std::string& output);

}  // namespace sheaf::cli
