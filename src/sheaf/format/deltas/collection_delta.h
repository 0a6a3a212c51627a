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

// Deltas between snapshots, and snapshots from deltas, for collections far larger than memory: a first pass
// notes 48 bytes a page and sorts them on disk, a second one copies the pages that were chosen.

/// Opens an input from its start. It is read twice and must give the same bytes both times.
using SourceOpener = std::function<base::Result<std::unique_ptr<base::ByteSource>>()>;

/// A file by its path; standard input ("-") or a pipe is copied to a temporary file in `folder` first.
base::Result<SourceOpener> reopenable_source(const std::string& path, const std::filesystem::path& folder,
                                             const Limits& limits = {});

/// Where temporary files go: the folder given, or that of the first target.
std::filesystem::path working_folder(const std::filesystem::path& given,
                                     const std::vector<WriterTarget>& targets);

using sheaf::DeltaOptions;
using sheaf::DiffSummary;
using sheaf::MergeSummary;
using sheaf::Shrink;
using sheaf::Stale;
using sheaf::StateMismatch;

/// Writes the delta that takes a reader from the snapshot `older` to the snapshot `newer`: pages that are new
/// or have a later `modified`, the URLs that are gone as `removed`, `since` the older and `generated` the
/// newer time, and the newer's state digest. A delta without changes is written too; callers that want none
/// look at the summary. Errors: invalid_data for inputs that are no valid snapshots of one section in this
/// order, refused by a guard, or any failure to read or write.
base::Result<DiffSummary> diff_collections(const SourceOpener& older, const SourceOpener& newer,
                                           std::vector<WriterTarget> targets, const DeltaOptions& options);

/// Writes the snapshot that a reader has after applying `deltas` to `snapshot`, in the order of their
/// `generated` whatever the order here. With no deltas it resolves duplicate URLs and writes the collection
/// anew, a delta too. Errors as above; a gap between two inputs is refused.
base::Result<MergeSummary> merge_collections(const SourceOpener& snapshot,
                                             const std::vector<SourceOpener>& deltas,
                                             std::vector<WriterTarget> targets, const DeltaOptions& options);

/// "blog-delta-20260115T000000Z": the id of a collection that was given none.
std::string default_collection_id(const model::CollectionHead& head);

}  // namespace sheaf::format
