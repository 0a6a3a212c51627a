#pragma once

#include "sheaf/base/error.h"
#include "sheaf/export/exporter.h"
#include "sheaf/format/pages/page_decoder.h"
#include "sheaf/store/page_store.h"
#include <sheaf/page.h>

#include <functional>
#include <optional>

namespace sheaf::exporting {

/// Called with each selected page, as stored and decoded.
using PageUse = std::function<base::Result<void>(const store::StoredPage& stored, const Page* page)>;

/// Walks over the pages that the options select, in store order. `use` gets each page decoded with `detail`;
/// it gets null if `detail` is nullopt and no filter needs the decoded page. Without `use`, pages are only
/// counted.
base::Result<Summary> walk_pages(const store::PageStore& store, const Options& options,
                                 std::optional<format::Detail> detail, const PageUse& use);

}  // namespace sheaf::exporting
