#pragma once

#include "sheaf/base/error.h"
#include "sheaf/export/exporter.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <functional>

namespace sheaf::exporting {

/// Called with the newest change of a page and its current version, which is null if the page was removed or
/// is no longer selected.
using ChangedPageUse =
    std::function<base::Result<void>(const store::StoreChange& change, const store::StoredPage* page)>;

/// Walks over the pages that changed after a position in the change feed, as export_changes describes.
base::Result<Summary> walk_changed_pages(const store::PageStore& store, const Options& options,
                                         const store::FeedCursor& after, const ChangedPageUse& use);

}  // namespace sheaf::exporting
