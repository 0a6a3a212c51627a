#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/store_core.h"

#include <memory>
#include <string_view>

namespace sheaf::store {

/// PageStore::apply.
base::Result<ApplySummary> apply_collection(StoreCore& core, std::string_view site, std::string_view section,
                                            std::unique_ptr<base::ByteSource> collection,
                                            const ApplyOptions& options);

}  // namespace sheaf::store
