#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/merge_plan.h"
#include "sheaf/publish/section_run.h"

#include <string>
#include <vector>

namespace sheaf::publish {

/// The names of the files that merge_deltas() may write.
std::vector<CollectionName> merged_names(const SectionOptions& options, const DeltaSpan& span);

/// Makes one delta of those of a span that are in the folder, in all codecs. None if that would not help
/// clients: if it is not smaller than what it takes the place of, or larger than the newest snapshot. Memory
/// does not grow with the files.
base::Result<std::vector<PublishedFile>> merge_deltas(const CatalogSection& published,
                                                      const SectionOptions& options, const DeltaSpan& span);

}  // namespace sheaf::publish
