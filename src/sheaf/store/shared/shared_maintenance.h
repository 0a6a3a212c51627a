#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/shared/page_pack.h"
#include "sheaf/store/shared/shared_core.h"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

// Maintenance of a whole shared store.
namespace sheaf::store::shared {

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

/// Calls `use` with each object that no pack of the view refers to. They may belong to a change in progress,
/// so they are not garbage yet.
base::Result<void> each_unreferenced(SharedView& view, PackObjects& objects,
                                     const std::function<base::Result<void>(const std::string& name)>& use);

/// Records objects that nothing refers to, and deletes those that were recorded at least a day ago and are
/// still unreferenced. Returns the number of deleted objects.
base::Result<std::uint64_t> collect_objects(SharedCore& core);

}  // namespace sheaf::store::shared
