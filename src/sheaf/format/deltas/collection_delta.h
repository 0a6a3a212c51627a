#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/error.h"
#include "sheaf/format/collections/collection_writer.h"
#include "sheaf/format/deltas/delta_rules.h"
#include "sheaf/format/finding.h"
#include "sheaf/format/limits.h"
#include <sheaf/delta.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::format {

// Computes deltas between snapshots, and snapshots and deltas from deltas, for collections far larger than
// memory. The first pass records 48 bytes per page and sorts the records on disk; the second copies the
// selected pages.

/// Opens an input from its start. It is called twice and must give the same bytes both times.
using SourceOpener = std::function<base::Result<std::unique_ptr<base::ByteSource>>()>;

/// Makes an opener for a file. Standard input ("-") or a pipe is first copied to a temporary file in
/// `folder`.
base::Result<SourceOpener> reopenable_source(const std::string& path, const std::filesystem::path& folder,
                                             const Limits& limits = {});

/// The folder for temporary files: `given`, or that of the first target.
std::filesystem::path working_folder(const std::filesystem::path& given,
                                     const std::vector<WriterTarget>& targets);

using sheaf::DeltaOptions;
using sheaf::DiffSummary;
using sheaf::MergeSummary;
using sheaf::Shrink;
using sheaf::Stale;
using sheaf::StateMismatch;

/// Writes the delta that takes a reader from the snapshot `older` to the snapshot `newer`. It has the pages
/// that are new or have a later `modified`, deleted URLs in `removed`, the time of the older snapshot as
/// `since` and that of the newer one as `generated`, and the newer one's state digest. A delta without
/// changes is written too; check the summary. Fails with Errc::invalid_data if the inputs are not valid
/// snapshots of one section in this order, with Errc::refused if a guard (see DeltaOptions) refuses the
/// changes, and if reading or writing fails.
base::Result<DiffSummary> diff_collections(const SourceOpener& older, const SourceOpener& newer,
                                           std::vector<WriterTarget> targets, const DeltaOptions& options);

/// Writes the snapshot that a reader has after applying `deltas` to `first` in the order of their
/// `generated`. If `first` is a delta too, writes a delta with the effect of all of them; a reader that has
/// applied some of them may apply it too. If there are no deltas, resolves duplicate URLs and rewrites the
/// collection. Errors as above; a gap between two inputs is Errc::invalid_data.
base::Result<MergeSummary> merge_collections(const SourceOpener& first,
                                             const std::vector<SourceOpener>& deltas,
                                             std::vector<WriterTarget> targets, const DeltaOptions& options);

/// The default id of a collection: "blog-delta-20260115T000000Z".
std::string default_collection_id(const model::CollectionHead& head);
/// The default id of a delta merged from deltas has both times:
/// "blog-delta-20260108T000000Z-20260115T000000Z".
std::string merged_delta_id(const model::CollectionHead& head);

/// The same options as for merging: a conversion merges a collection with nothing.
using ConvertOptions = DeltaOptions;

using sheaf::ConvertSummary;

/// Rewrites a collection in the form of docs/format.md: canonical lines, a checksum, a state digest for
/// snapshots, and nothing that a reader would drop. The head keeps its id and its unknown members.
base::Result<ConvertSummary> convert_collection(const SourceOpener& input, std::vector<WriterTarget> targets,
                                                const ConvertOptions& options);

}  // namespace sheaf::format
