#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/catalog.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/release.h"

#include <cstdint>
#include <string>
#include <vector>

// A state folder belongs to one site. If two sites shared one, each run would take the other site's pages for
// its own and publish them as removed.
namespace sheaf::publish {

/// Fails with Errc::refused if the catalog belongs to another base URL, according to its record or, without
/// one, to its pages.
base::Result<void> check_owner(const Catalog& catalog, const PublishConfig& config);

/// Calls check_owner(), then records the base URL if none is recorded.
base::Result<void> claim(Catalog& catalog, const PublishConfig& config);

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

// A small file in the state folder records where the collections were last delivered. When the target
// changes, every collection has to be sent there, not only the new ones. The file is written last: if it is
// missing or out of date, everything is sent again, which does no harm.
namespace sheaf::publish {

/// The identity of the last complete delivery: Target::identity(), and after a line feed that of the signing
/// key if there is one. Empty before the first delivery.
base::Result<std::string> read_last_delivery(const PublishConfig& config);
base::Result<void> write_last_delivery(const PublishConfig& config, const std::string& place);

}  // namespace sheaf::publish
