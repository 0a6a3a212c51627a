#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/local/store_core.h"
#include "sheaf/store/page_store.h"

#include <functional>
#include <memory>

namespace sheaf::store::local {

/// Implements PageStore::each_page().
base::Result<void> walk_pages(const StoreCore& core, const PageFilter& filter,
                              const std::function<base::Result<bool>(const StoredPage&)>& use);

/// Implements PageStore::page_ranges().
std::unique_ptr<PageRanges> page_ranges(const StoreCore& core, const PageFilter& filter, unsigned threads);

}  // namespace sheaf::store::local
