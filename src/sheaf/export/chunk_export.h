#pragma once

#include "sheaf/base/error.h"
#include "sheaf/export/exporter.h"
#include "sheaf/export/page_chunks.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace sheaf::exporting {

/// Writes the chunks of the selected pages, one JSON object per line (docs/chunks.md).
base::Result<Summary> export_chunks(const store::PageStore& store, const Options& options,
                                    const ChunkRules& rules, const Sink& sink);

struct ChunkChanges {
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
  std::uint64_t kept = 0;   ///< unchanged chunks of changed pages
  std::uint64_t pages = 0;  ///< changed pages
  store::FeedCursor cursor;
};

/// Writes what changed since the state file was last written, page by page: a line {"op":"add",...} with each
/// new chunk, and {"op":"remove","id":..,"url":..} for each chunk that is gone. Then updates the state file.
/// Without a state file, every chunk is new. Fails with Errc::refused if the store's feed no longer reaches
/// back to the state, or if the state was written with other rules or for another store. `store_id`
/// identifies the store (store_identity()).
base::Result<ChunkChanges> export_chunk_changes(const store::PageStore& store, std::string_view store_id,
                                                const std::filesystem::path& state_file,
                                                const ChunkRules& rules, const Sink& sink);

}  // namespace sheaf::exporting
