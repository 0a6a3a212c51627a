#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/catalog.h"
#include "sheaf/publish/config/config.h"

// A state folder belongs to one site. If two sites shared one, each run would take the other site's pages for
// its own and publish them as removed.
namespace sheaf::publish {

/// Fails with Errc::refused if the catalog belongs to another base URL, according to its record or, without
/// one, to its pages.
base::Result<void> check_owner(const Catalog& catalog, const PublishConfig& config);

/// Calls check_owner(), then records the base URL if none is recorded.
base::Result<void> claim(Catalog& catalog, const PublishConfig& config);

}  // namespace sheaf::publish
