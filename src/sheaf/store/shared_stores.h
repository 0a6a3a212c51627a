#pragma once

#include "sheaf/base/error.h"
#include "sheaf/objects/s3_store.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/work_share.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What a store offers that several machines share. The code is in store/shared/, a component that is loaded
// when it is first used, because it needs libpq.
namespace sheaf::store::shared {

/// Whether `location` is a URL of PostgreSQL.
bool is_postgres_url(std::string_view location);

/// The name of the store in messages: the URL without its parameters.
std::string name_of_url(const std::string& url);

/// What a store has to know about the program.
struct SharedOptions {
  std::string version = {};               ///< for `sheaf store info`
  objects::Environment environment = {};  ///< for the credentials of object storage
};

struct SharedMeta {
  static constexpr std::int64_t kFormat = 2;

  std::int64_t format = kFormat;
  std::int64_t buckets = 1024;
  std::string objects;  ///< location of the packs; empty: in the database
  std::int64_t feed_days = 90;
  std::int64_t lease_milliseconds = 15'000;
};

struct CreateOptions {
  std::int64_t buckets = 1024;
  std::string objects;
  std::int64_t feed_days = 90;
};
inline constexpr std::int64_t kMaxBuckets = 65'536;

/// An entry of the list. `url` may be the URL of one of the site's sitemaps.
struct ListedSite {
  std::string origin;
  std::string url;
};

/// Returns one site after the other, each once; nullopt at the end.
using SiteSource = std::function<base::Result<std::optional<ListedSite>>()>;

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
/// The functions of store/shared/, which documents them.
struct SharedStores {
  base::Result<std::unique_ptr<PageStore>> (*open)(const std::string& url, StoreAccess access,
                                                   const SharedOptions& options);
  base::Result<std::string> (*identity)(const std::string& url);
  base::Result<void> (*create)(const std::string& url, const CreateOptions& options,
                               const objects::Environment& environment);
  base::Result<SharedInfo> (*info)(const std::string& url);
  base::Result<std::vector<WorkerInfo>> (*workers)(const std::string& url);
  base::Result<std::uint64_t> (*add_sites)(const std::string& url, const SiteSource& next);
  base::Result<std::uint64_t> (*remove_sites)(const std::string& url, const SiteSource& next);
  base::Result<void> (*list_sites)(const std::string& url, const std::function<bool(const ListedSite&)>& use);
};

/// The component. Fails if it is not installed.
base::Result<const SharedStores*> shared_stores();

}  // namespace sheaf::store::shared
