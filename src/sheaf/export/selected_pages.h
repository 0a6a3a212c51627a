#pragma once

#include "sheaf/base/error.h"
#include "sheaf/export/exporter.h"
#include "sheaf/format/pages/page_decoder.h"
#include "sheaf/store/page_store.h"
#include <sheaf/page.h>

#include <functional>
#include <optional>

namespace sheaf::exporting {

/// Gets a selected page as the store has it and decoded.
using PageUse = std::function<base::Result<void>(const store::StoredPage& stored, const Page* page)>;

/// Walks over the pages that the options select, in the order of the store. `use` gets a page decoded with
/// that detail, or no page if none is requested and no filter needs it. Without `use`, pages are only
/// counted.
base::Result<Summary> walk_pages(const store::PageStore& store, const Options& options,
                                 std::optional<format::Detail> detail, const PageUse& use);

}  // namespace sheaf::exporting
