#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/shared/shared_core.h"
#include "sheaf/store/work_share.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

// The list of sites that the workers of a shared store pull, and the workers themselves.
namespace sheaf::store::shared {

/// An entry of the list. `url` may be the URL of one of the site's sitemaps.
struct ListedSite {
  std::string origin;
  std::string url;
};

/// Returns one site after the other, each once; nullopt at the end.
using SiteSource = std::function<base::Result<std::optional<ListedSite>>()>;

/// Adds sites to the list. Returns how many were new or had another URL before.
base::Result<std::uint64_t> add_sites(const std::string& store_url, const SiteSource& next);
/// Removes sites from the list, but not their pages. Returns how many were listed.
base::Result<std::uint64_t> remove_sites(const std::string& store_url, const SiteSource& next);
/// Calls `use` with each site, sorted by bucket and name, until it returns false.
base::Result<void> list_sites(const std::string& store_url,
                              const std::function<bool(const ListedSite&)>& use);

struct WorkerInfo {
  std::string id;
  std::string host;  ///< host name and process id
  std::string version;
  std::int64_t seen_seconds_ago = 0;
  bool live = false;
  bool fleet = false;
  std::int64_t buckets = 0;
  WorkerLoad load;
};

base::Result<std::vector<WorkerInfo>> read_workers(const std::string& store_url);

struct SharedInfo {
  SharedMeta meta;
  std::uint64_t sites = 0;
  std::uint64_t sections = 0;
  std::uint64_t pages = 0;
  std::uint64_t page_bytes = 0;
  std::uint64_t pack_bytes = 0;
  std::uint64_t changes = 0;
  std::uint64_t disk_bytes = 0;
  std::uint64_t held_buckets = 0;
  std::vector<WorkerInfo> workers;
};
base::Result<SharedInfo> read_shared_info(const std::string& store_url);

/// Joins the fleet of workers and returns this process's share of the list of sites. A part is a bucket.
std::unique_ptr<WorkShare> make_bucket_share(SharedCore& core);

}  // namespace sheaf::store::shared
