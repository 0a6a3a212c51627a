#pragma once

#include "sheaf/format/deltas/collection_delta.h"

#include <cstdint>
#include <vector>

namespace sheaf::format {

/// Converting is merging with nothing: limits, threads, folders and progress mean the same.
using ConvertOptions = DeltaOptions;

using sheaf::ConvertSummary;

/// Writes a collection anew in the form of docs/format.md: canonical lines, a checksum, for snapshots a state
/// digest, without what a reader would drop. The head keeps its id and its unknown members.
base::Result<ConvertSummary> convert_collection(const SourceOpener& input, std::vector<WriterTarget> targets,
                                                const ConvertOptions& options);

}  // namespace sheaf::format
