#pragma once

#include "sheaf/publish/config/config.h"
#include "sheaf/publish/release.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sheaf::publish {

/// Second links to the published collections, in the state folder.
///
/// Many generators empty their output folder with every build, and the collections in it are deleted too. A
/// hard link costs no space and lets the next run put them back; without it every build would cost a new
/// snapshot, and clients would lose the deltas that they need. On file systems without hard links, and if the
/// state is on another one, nothing is kept.

/// Links the collections of all sections, and removes links to files that are not published any more.
/// Failures are ignored: what is not kept cannot be put back, which a later run reports.
void keep_collections(const PublishConfig& config, const std::vector<SectionRelease>& sections);

enum class RestoreMode { link, look };  ///< `look` changes nothing, for a dry run

/// Puts a collection back into the output folder. False if none of that size was kept.
bool restore_collection(const PublishConfig& config, const std::string& name, std::uint64_t size,
                        RestoreMode mode);

}  // namespace sheaf::publish
