#pragma once

#include "sheaf/base/error.h"
#include "sheaf/export/exporter.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <functional>

namespace sheaf::exporting {

/// Gets the newest change of a page, and the page as it is now; null where it is gone or no longer selected.
using ChangedPageUse =
    std::function<base::Result<void>(const store::StoreChange& change, const store::StoredPage* page)>;

/// Walks over the pages that changed after a position in the change feed, as export_changes describes.
base::Result<Summary> walk_changed_pages(const store::PageStore& store, const Options& options,
                                         const store::FeedCursor& after, const ChangedPageUse& use);

}  // namespace sheaf::exporting
