#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/local/store_core.h"
#include "sheaf/store/page_store.h"

#include <optional>
#include <string_view>
#include <vector>

namespace sheaf::store::local {

struct FoundPage {
  const NamedSection* section;
  PageEntry entry;
};

/// The page with this URL; if several sections have it, the newest version. Without a site, the site of the
/// URL's origin is searched first.
base::Result<std::optional<FoundPage>> find_page(const StoreView& view,
                                                 const std::vector<NamedSection>& sections,
                                                 std::string_view url, std::string_view site);

/// Implements PageStore::get_many().
base::Result<void> get_many(const StoreCore& core, const PageRequests& requests, const FoundPageUse& use);

}  // namespace sheaf::store::local
