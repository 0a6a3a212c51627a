#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/local/store_core.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <functional>

namespace sheaf::store::local {

/// Implements PageStore::verify().
base::Result<VerifySummary> verify_store(const StoreCore& core, unsigned threads,
                                         const StoreProgressSink& progress);

/// Implements PageStore::repair().
base::Result<RepairSummary> repair_store(StoreCore& core, std::string_view site);

/// Implements PageStore::pack().
base::Result<bool> pack_pages(StoreCore& core, std::uint64_t worth, unsigned threads,
                              const StoreProgressSink& progress);

/// Implements PageStore::gc().
base::Result<GcSummary> collect_garbage(StoreCore& core, const GcOptions& options);

}  // namespace sheaf::store::local
