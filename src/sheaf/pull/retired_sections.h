#pragma once

#include "sheaf/base/error.h"
#include "sheaf/pull/site_context.h"

#include <string>
#include <vector>

// Sections that the site offers no more. That may be a mistake, or last only for an hour.
namespace sheaf::pull {

/// Removes the sections of `stored` that the site offers no more. As long as that may be a mistake, the copy
/// is not up to date. If other sections failed, their pages may be there, so this pull only counts.
base::Result<void> retire_sections(SiteContext& site, const SiteOffers& offers,
                                   const OffersBySection& offered, const std::vector<std::string>& stored);

/// Handles a site that had collections and now offers none. Later its pages are fetched one by one.
base::Result<void> after_collections(SiteContext& site, const SiteOffers& offers,
                                     const std::vector<std::string>& stored);

}  // namespace sheaf::pull
