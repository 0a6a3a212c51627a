#pragma once

#include "sheaf/format/deltas/collection_delta.h"

#include <cstdint>
#include <vector>

namespace sheaf::format {

/// The same options as for merging: a conversion merges a collection with nothing.
using ConvertOptions = DeltaOptions;

using sheaf::ConvertSummary;

/// Rewrites a collection in the form of docs/format.md: canonical lines, a checksum, a state digest for
/// snapshots, and nothing that a reader would drop. The head keeps its id and its unknown members.
base::Result<ConvertSummary> convert_collection(const SourceOpener& input, std::vector<WriterTarget> targets,
                                                const ConvertOptions& options);

}  // namespace sheaf::format
