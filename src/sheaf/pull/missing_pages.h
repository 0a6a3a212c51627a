#pragma once

#include "sheaf/base/error.h"
#include "sheaf/pull/crawl.h"
#include "sheaf/pull/site_context.h"

#include <string>
#include <vector>

// Pages that are fetched one by one, instead of collections or because these lack them.
namespace sheaf::pull {

/// Fetches the pages of the site that are not held, and sets the result of the pull.
base::Result<void> fetch_pages(SiteContext& site, const HeldFilter& is_held, WantedPages wanted);

/// Fetches what intact collections lack: pages that break a rule of the format, and pages that were fetched
/// one by one before the site had collections and that these do not have.
base::Result<void> complete_from_pages(SiteContext& site);

/// Fetches the pages of sections whose collections cannot be used.
base::Result<void> crawl_broken_sections(SiteContext& site, const OffersBySection& offers,
                                         std::vector<std::string> broken);

/// A page may move to a section that has it in a form that cannot be read. Until it is fetched, the section
/// that it leaves has its only copy. Returns whether removals lose no such page.
base::Result<bool> fetch_before_removals(SiteContext& site);

/// Removes pages from sections whose collections cannot be used, if this pull found that they are gone.
base::Result<void> remove_gone_pages(SiteContext& site, const std::vector<std::string>& sections);

}  // namespace sheaf::pull
