#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/shared/shared_core.h"

#include <functional>

// Reading pages and changes of a shared store.
namespace sheaf::store::shared {

/// Implements PageStore::each_page().
base::Result<void> walk_shared_pages(SharedCore& core, const PageFilter& filter,
                                     const std::function<base::Result<bool>(const StoredPage&)>& use);

/// Implements PageStore::get_many().
base::Result<void> get_many_shared(SharedCore& core, const PageRequests& requests, const FoundPageUse& use);

/// Implements PageStore::newest_change() and PageStore::changes().
base::Result<FeedCursor> newest_shared_change(SharedCore& core);
base::Result<void> walk_shared_changes(SharedCore& core, const FeedCursor& since,
                                       const std::function<base::Result<bool>(const StoreChange&)>& use);

}  // namespace sheaf::store::shared
