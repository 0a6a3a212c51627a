#pragma once

#include "sheaf/base/error.h"
#include "sheaf/cli/options/command_line.h"
#include "sheaf/export/page_chunks.h"

namespace sheaf::cli {

/// --max-chars and --overlap.
void add_chunk_options(const Command& command, exporting::ChunkRules& rules);
/// invalid_argument where the overlap leaves no room for a chunk's own text.
base::Result<void> check_chunk_rules(const exporting::ChunkRules& rules);
/// broken_pipe or io where standard output failed: a state must not be written for lines that were not
/// delivered.
base::Result<void> check_printed();

}  // namespace sheaf::cli
