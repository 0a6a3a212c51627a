#pragma once

#include "sheaf/base/error.h"
#include "sheaf/pull/site_context.h"

#include <string>
#include <vector>

namespace sheaf::pull {

/// Brings the copy of a site whose robots.txt was read up to date with what its sitemaps offer: collections,
/// or pages one by one. Returns the URLs of the collections that it offers.
base::Result<std::vector<std::string>> pull_offers(SiteContext& site);

}  // namespace sheaf::pull
