#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/merge_plan.h"
#include "sheaf/publish/section_run.h"

#include <string>
#include <vector>

namespace sheaf::publish {

/// The names of the files that merge_deltas() may write.
std::vector<CollectionName> merged_names(const SectionOptions& options, const DeltaSpan& span);

/// Merges the deltas of a span into one, in all codecs. Returns nothing if that would not help clients: the
/// merged delta is not smaller than the deltas it replaces, or not smaller than the newest snapshot. Memory
/// use does not depend on the size of the files.
base::Result<std::vector<PublishedFile>> merge_deltas(const CatalogSection& published,
                                                      const SectionOptions& options, const DeltaSpan& span);

}  // namespace sheaf::publish
