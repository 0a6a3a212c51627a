#pragma once

#include "sheaf/base/error.h"
#include "sheaf/export/exporter.h"
#include "sheaf/export/page_chunks.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <filesystem>

namespace sheaf::exporting {

/// The chunks of the selected pages, one JSON object per line (docs/chunks.md).
base::Result<Summary> export_chunks(const store::PageStore& store, const Options& options,
                                    const ChunkRules& rules, const Sink& sink);

struct ChunkChanges {
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
  std::uint64_t kept = 0;   ///< of pages that changed
  std::uint64_t pages = 0;  ///< that changed
  store::FeedCursor cursor;
};

/// What changed since the state file was last written: a line {"op":"add",...} with the chunk for each that
/// is new, and {"op":"remove","id":..,"url":..} for each that is gone, page by page. Then the state file is
/// brought up to date. Without a state file, everything is new. Errors: refused where the store's feed no
/// longer reaches back to the state.
base::Result<ChunkChanges> export_chunk_changes(const store::PageStore& store,
                                                const std::filesystem::path& state_file,
                                                const ChunkRules& rules, const Sink& sink);

}  // namespace sheaf::exporting
