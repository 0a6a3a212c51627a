#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/store_core.h"

#include <cstdint>
#include <functional>

namespace sheaf::store {

/// PageStore::verify.
base::Result<PageStore::VerifySummary> verify_store(const StoreCore& core, const StoreProgressSink& progress);

/// PageStore::repair.
base::Result<PageStore::RepairSummary> repair_store(StoreCore& core, std::string_view site);

/// PageStore::pack.
base::Result<bool> pack_pages(StoreCore& core, std::uint64_t worth, const StoreProgressSink& progress);

/// PageStore::gc.
base::Result<PageStore::GcSummary> collect_garbage(StoreCore& core, const PageStore::GcOptions& options);

}  // namespace sheaf::store
