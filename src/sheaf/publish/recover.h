#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/catalog.h"
#include "sheaf/publish/config/config.h"

#include <string>

namespace sheaf::publish {

/// Rebuilds the catalog's records of a section from the collections in the folder: the newest snapshot and
/// the deltas after it. So if the catalog is lost, or the build machine does not keep it, this costs only the
/// time for reading them. Returns false if there is no snapshot of the section.
base::Result<bool> recover_section(Catalog& catalog, const PublishConfig& config, const std::string& section);

}  // namespace sheaf::publish
