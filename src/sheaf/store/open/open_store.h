#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"
#include "sheaf/objects/s3_store.h"
#include "sheaf/store/page_store.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace sheaf::store {

/// Whether `location`, the value of --store, is the URL of a shared store and not the path of a folder.
bool is_shared_location(std::string_view location);

/// Opens the store at `location`, the value of --store: the path of a folder, or the URL postgresql://... of
/// a shared store. For writing, a folder is created if it does not exist; a shared store must have been
/// created with create_shared_store(). `environment` has the credentials for object storage, which only a
/// shared store uses. Fails with Errc::not_found if there is no store, Errc::in_use if another process is
/// writing to the folder, Errc::invalid_data if the store is damaged or of another version, or
/// Errc::invalid_argument if the URL has a password.
base::Result<std::unique_ptr<PageStore>> open_store(const std::string& location, StoreAccess access,
                                                    const objects::Environment& environment = {});

/// What identifies the existing store at `location`: random text made when it was created. A copy of the
/// folder has the same, and a store that is deleted and filled again has another. Numbers of the change feed
/// have a meaning only together with this.
base::Result<std::string> store_identity(const std::string& location);

/// Returns the folder where this machine keeps what belongs to a store but is not in it: the search index and
/// downloads. For a local store, this is the store's folder; for a shared store, a folder in
/// $XDG_CACHE_HOME/sheaf or ~/.cache/sheaf whose name is a hash of the URL.
std::string working_folder(const std::string& store);

/// A folder for the downloads of this process, and the lock that keeps other processes out of it. Several
/// workers of a shared store may run on one machine. A later process continues in the folder of a process
/// that has ended.
struct DownloadFolder {
  std::filesystem::path path;
  base::FileDescriptor lock;
};
base::Result<DownloadFolder> take_download_folder(const std::string& store);

}  // namespace sheaf::store
