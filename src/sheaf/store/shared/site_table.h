#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/shared/shared_core.h"
#include "sheaf/store/shared_stores.h"
#include "sheaf/store/work_share.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// The list of sites that the workers of a shared store pull, and the workers themselves.
namespace sheaf::store::shared {

/// Adds sites to the list. Returns how many were new or had another URL before.
base::Result<std::uint64_t> add_sites(const std::string& store_url, const SiteSource& next);
/// Removes sites from the list, but not their pages. Returns how many were listed.
base::Result<std::uint64_t> remove_sites(const std::string& store_url, const SiteSource& next);
/// Calls `use` with each site, sorted by bucket and name, until it returns false.
base::Result<void> list_sites(const std::string& store_url,
                              const std::function<bool(const ListedSite&)>& use);

base::Result<std::vector<WorkerInfo>> read_workers(const std::string& store_url);

base::Result<SharedInfo> read_shared_info(const std::string& store_url);

/// Joins the fleet of workers and returns this process's share of the list of sites. A part is a bucket.
std::unique_ptr<WorkShare> make_bucket_share(SharedCore& core);

}  // namespace sheaf::store::shared
