#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/shared/shared_core.h"

#include <functional>
#include <string_view>
#include <vector>

// Operations on a whole shared store.
namespace sheaf::store::shared {

/// Implements PageStore::each_page().
base::Result<void> walk_shared_pages(SharedCore& core, const PageFilter& filter,
                                     const std::function<base::Result<bool>(const StoredPage&)>& use);

/// Implements PageStore::get_many().
base::Result<void> get_many_shared(SharedCore& core, const PageRequests& requests, const FoundPageUse& use);

/// Implements PageStore::newest_change() and PageStore::changes().
base::Result<FeedCursor> newest_shared_change(SharedCore& core);
base::Result<void> walk_shared_changes(SharedCore& core, const FeedCursor& since,
                                       const std::function<bool(const StoreChange&)>& use);

/// Implements PageStore::gc().
base::Result<GcSummary> collect_shared_garbage(SharedCore& core, const GcOptions& options);
/// Moves pages out of packs that are less than half in use. The bucket must be free or owned by this process.
/// Returns the number of pages that were moved.
base::Result<std::uint64_t> repack_bucket(SharedCore& core, int b);
/// Buckets with such packs, those with the most first: of the buckets `among`, or if it is null, of those
/// that this process owns or may claim.
base::Result<std::vector<int>> sparse_buckets(SharedCore& core, const std::vector<int>* among);

/// Implements PageStore::repair().
base::Result<RepairSummary> repair_shared_store(SharedCore& core, std::string_view site);
/// Implements PageStore::verify().
base::Result<VerifySummary> verify_shared_store(SharedCore& core, const StoreProgressSink& progress);
/// Implements PageStore::disk_bytes().
base::Result<std::uint64_t> shared_disk_bytes(SharedCore& core);

}  // namespace sheaf::store::shared
