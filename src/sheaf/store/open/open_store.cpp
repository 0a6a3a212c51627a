#include "sheaf/store/open/open_store.h"

#include "sheaf/base/file.h"
#include "sheaf/base/hash.h"
#include "sheaf/store/local/local_store.h"
#include "sheaf/store/shared_stores.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

namespace sheaf::store {

bool is_shared_location(std::string_view location) { return shared::is_postgres_url(location); }

base::Result<std::unique_ptr<PageStore>> open_store(const std::string& location, StoreAccess access,
                                                    const objects::Environment& environment) {
  if (is_shared_location(location)) {
    SHEAF_TRY_ASSIGN(const auto* const stores, shared::shared_stores());
    return stores->open(location, access, {SHEAF_VERSION, environment});
  }
  return local::open_local_store(location, access);
}

base::Result<std::string> store_identity(const std::string& location) {
  if (!is_shared_location(location)) return local::local_store_identity(location);
  SHEAF_TRY_ASSIGN(const auto* const stores, shared::shared_stores());
  return stores->identity(location);
}

namespace {

constexpr int kMaxWorkers = 10'000;

std::filesystem::path cache_folder() {
  if (const char* const cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0')
    return cache;
  const char* const home = std::getenv("HOME");
  return std::filesystem::path(home != nullptr && *home != '\0' ? home : "/var/tmp") / ".cache";
}

}  // namespace

std::string working_folder(const std::string& store) {
  if (!is_shared_location(store)) return store;
  base::Sha256 sha;
  sha.update(store);
  const base::Digest digest = sha.finish();
  std::string name;
  for (std::size_t i = 0; i < 8; ++i) name += fmt::format("{:02x}", digest[i]);
  return (cache_folder() / "sheaf" / name).string();
}

base::Result<DownloadFolder> take_download_folder(const std::string& store) {
  const std::filesystem::path folder = working_folder(store);
  if (!is_shared_location(store)) return DownloadFolder{folder / "downloads", {}};
  SHEAF_TRY(base::make_folder(folder));
  for (int number = 1; number <= kMaxWorkers; ++number) {
    const std::filesystem::path lock = folder / fmt::format("worker-{}.lock", number);
    base::FileDescriptor descriptor(::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!descriptor.is_open())
      return std::unexpected(base::system_error(errno, fmt::format("cannot open {}", lock.string())));
    if (flock(descriptor.get(), LOCK_EX | LOCK_NB) == 0)
      return DownloadFolder{folder / fmt::format("downloads-{}", number), std::move(descriptor)};
  }
  return base::fail(base::Errc::in_use, fmt::format("too many workers use {}", folder.string()));
}

}  // namespace sheaf::store
