#pragma once

#include "sheaf/base/error.h"
#include "sheaf/cli/options/command_line.h"
#include "sheaf/export/page_chunks.h"

namespace sheaf::cli {

/// Adds --max-chars and --overlap.
void add_chunk_options(const Command& command, exporting::ChunkRules& rules);
/// Fails with invalid_argument if the overlap is more than half of a chunk.
base::Result<void> check_chunk_rules(const exporting::ChunkRules& rules);
/// Fails with Errc::io if standard output failed: a state must not be written for lines that were not
/// delivered.
base::Result<void> check_printed();

}  // namespace sheaf::cli
