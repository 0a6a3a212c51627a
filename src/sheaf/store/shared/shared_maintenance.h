#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/shared/shared_core.h"

#include <functional>
#include <string_view>
#include <vector>

// Operations on the whole of a shared store.
namespace sheaf::store::shared {

/// PageStore::each_page.
base::Result<void> walk_shared_pages(SharedCore& core, const PageFilter& filter,
                                     const std::function<base::Result<bool>(const StoredPage&)>& use);

/// PageStore::get_many.
base::Result<void> get_many_shared(SharedCore& core, const PageRequests& requests, const FoundPageUse& use);

/// PageStore::newest_change and PageStore::changes.
base::Result<FeedCursor> newest_shared_change(SharedCore& core);
base::Result<void> walk_shared_changes(SharedCore& core, const FeedCursor& since,
                                       const std::function<bool(const StoreChange&)>& use);

/// PageStore::gc.
base::Result<GcSummary> collect_shared_garbage(SharedCore& core, const GcOptions& options);
/// Moves pages out of packs that are less than half in use. The bucket must be this process's, or free.
/// Returns how many were moved.
base::Result<std::uint64_t> repack_bucket(SharedCore& core, int b);
/// Buckets with such packs: of these, or if null, of those that this process has or may claim.
base::Result<std::vector<int>> sparse_buckets(SharedCore& core, const std::vector<int>* among);

/// PageStore::repair.
base::Result<RepairSummary> repair_shared_store(SharedCore& core, std::string_view site);
/// PageStore::verify.
base::Result<VerifySummary> verify_shared_store(SharedCore& core, const StoreProgressSink& progress);
/// PageStore::disk_bytes.
base::Result<std::uint64_t> shared_disk_bytes(SharedCore& core);

}  // namespace sheaf::store::shared
