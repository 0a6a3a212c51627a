#pragma once

#include "sheaf/base/error.h"
#include "sheaf/export/exporter.h"
#include "sheaf/format/pages/page_decoder.h"
#include "sheaf/store/page_store.h"
#include <sheaf/page.h>

#include <cstdint>
#include <functional>
#include <optional>

namespace sheaf::exporting {

/// Called with each selected page, as stored and decoded.
using PageUse = std::function<base::Result<void>(const store::StoredPage& stored, const Page* page)>;

/// Walks over the pages that the options select, in store order. `use` gets each page decoded with `detail`;
/// it gets null if `detail` is nullopt and no filter needs the decoded page. Without `use`, pages are only
/// counted.
base::Result<ExportSummary> walk_pages(const store::PageStore& store, const ExportOptions& options,
                                       std::optional<format::Detail> detail, const PageUse& use);

/// Called with the newest change of a page and its current version, which is null if the page was removed or
/// is no longer selected.
using ChangedPageUse =
    std::function<base::Result<void>(const store::StoreChange& change, const store::StoredPage* page)>;

/// Walks over the pages that changed after a position in the change feed, as export_changes describes.
base::Result<ExportSummary> walk_changed_pages(const store::PageStore& store, const ExportOptions& options,
                                               const store::FeedCursor& after, const ChangedPageUse& use);

}  // namespace sheaf::exporting
