#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/error.h"
#include "sheaf/store/local/store_core.h"
#include "sheaf/store/page_store.h"

#include <memory>
#include <string_view>

namespace sheaf::store::local {

/// PageStore::apply.
base::Result<ApplySummary> apply_collection(StoreCore& core, std::string_view site, std::string_view section,
                                            std::unique_ptr<base::ByteSource> collection,
                                            const ApplyOptions& options);

/// PageStore::settle.
base::Result<void> settle_section(StoreCore& core, std::string_view site, std::string_view section);

}  // namespace sheaf::store::local
