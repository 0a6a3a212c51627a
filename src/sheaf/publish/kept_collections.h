#pragma once

#include "sheaf/publish/config/config.h"
#include "sheaf/publish/release.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sheaf::publish {

/// Second hard links to the published collections, in the state folder.
///
/// Many generators empty their output folder in every build, and so delete the collections in it. A hard link
/// costs no space and lets the next run restore them. Without it every build would cost a new snapshot, and
/// clients would lose the deltas that they need. Nothing is kept on file systems without hard links, or if
/// the state folder is on another file system.

/// Links the collections of all sections, and deletes links to files that are no longer published. Failures
/// are ignored: a later run reports collections that cannot be restored.
void keep_collections(const PublishConfig& config, const std::vector<SectionRelease>& sections);

enum class RestoreMode { link, look };  ///< `look` changes nothing, for a dry run

/// Restores a collection in the output folder. Returns false if no link of that size was kept.
bool restore_collection(const PublishConfig& config, const std::string& name, std::uint64_t size,
                        RestoreMode mode);

}  // namespace sheaf::publish
