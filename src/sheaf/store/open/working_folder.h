#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"

#include <filesystem>
#include <string>

namespace sheaf::store {

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
