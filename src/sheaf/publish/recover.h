#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/catalog.h"
#include "sheaf/publish/config/config.h"

#include <string>

namespace sheaf::publish {

/// Makes the catalog's records of a section from the collections in the folder: the newest snapshot and the
/// deltas that lead on from it. So a lost catalog, or one that a build machine never keeps, costs nothing but
/// the reading. False if there is no snapshot of the section.
base::Result<bool> recover_section(Catalog& catalog, const PublishConfig& config, const std::string& section);

}  // namespace sheaf::publish
