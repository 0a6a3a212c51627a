#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/catalog.h"
#include "sheaf/publish/config/config.h"

#include <filesystem>

// A state folder belongs to one site. If two sites shared one, each run would take the other site's pages for
// its own and publish them as removed.
namespace sheaf::publish {

/// The state folder of this site: config.state, unless only the former location has a state of this site.
/// Changes nothing.
base::Result<std::filesystem::path> find_state(const PublishConfig& config);

/// Moves the folder that find_state() finds to config.state, if it is elsewhere.
base::Result<void> adopt_former_state(const PublishConfig& config);

/// Fails with Errc::refused if the catalog belongs to another base URL, according to its record or, without
/// one, to its pages.
base::Result<void> check_owner(const Catalog& catalog, const PublishConfig& config);

/// Calls check_owner(), then records the base URL if none is recorded.
base::Result<void> claim(Catalog& catalog, const PublishConfig& config);

}  // namespace sheaf::publish
