#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url_set.h"
#include "sheaf/pull/discover.h"
#include "sheaf/site/advertised.h"
#include "sheaf/store/page_store.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

// Stand-ins: sections that replace the section `all` while its collections cannot be used. They are marked in
// the store, so that they are deleted when `all` can be pulled again; otherwise the store would have its
// pages twice.
namespace sheaf::pull {

/// Adds the URLs of a section's pages to the set, and to `count` the number of those that are new.
base::Result<void> add_new_urls(const store::PageStore& store, const std::string& site,
                                std::string_view section, base::UrlSet& urls, std::uint64_t& count);

/// Marks a section as a stand-in.
base::Result<void> mark_stand_in(store::PageStore& store, const std::string& site,
                                 const std::string& section);

/// Deletes the stand-ins of a site, except those that `pulled` names: they are needed beside `all` now. No
/// mark is left.
base::Result<void> drop_stand_ins(store::PageStore& store, const std::string& site,
                                  const std::set<std::string>& pulled, Instant now);

}  // namespace sheaf::pull
