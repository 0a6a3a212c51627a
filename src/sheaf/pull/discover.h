#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/pull/downloads.h"
#include "sheaf/site/advertised.h"
#include "sheaf/site/robots.h"
#include "sheaf/site/sitemap.h"

#include <optional>
#include <string>
#include <vector>

namespace sheaf::pull {

/// What a site says of itself.
struct Discovery {
  site::RobotsRules rules;
  site::Advertised advertised;
  std::uint64_t urls = 0;  ///< entries of its sitemaps
  std::vector<std::string> notes;
  std::string failure;  ///< why the site may not or cannot be asked now; empty if it can
  std::optional<std::chrono::seconds> retry_after;
};

/// Reads robots.txt and every sitemap of the site that `address` is of; an address with a path is the sitemap
/// to begin with. Entries go to `sink`, which may be null. Files come through `downloads`, so that what has
/// not changed is not fetched again. An error is for the disk.
base::Result<Discovery> discover(const base::Url& address, std::string_view user_agent, Downloads& downloads,
                                 site::SitemapSink* sink);

}  // namespace sheaf::pull
