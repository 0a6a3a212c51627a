#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/local/store_core.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <string_view>

namespace sheaf::store::local {

/// PageStore::commit.
base::Result<PageChanges> commit_edit(StoreCore& core, const SectionEdit& edit);

/// PageStore::drop_section.
base::Result<std::uint64_t> drop_section(StoreCore& core, std::string_view site, std::string_view section,
                                         Instant now);

}  // namespace sheaf::store::local
