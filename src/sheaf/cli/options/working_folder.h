#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"

#include <filesystem>
#include <string>

namespace sheaf::cli {

/// Where this machine keeps what belongs to a store but is not in it: the search index, downloads. The folder
/// of the store itself; for a shared store a folder in $XDG_CACHE_HOME/sheaf or ~/.cache/sheaf, whose name is
/// made of the URL.
std::string working_folder(const std::string& store);

/// A folder for the downloads of this process, and the lock that keeps other processes out of it. Several
/// workers of a shared store may run on one machine; a later process continues in the folder of one that has
/// ended.
struct DownloadFolder {
  std::filesystem::path path;
  base::FileDescriptor lock;
};
base::Result<DownloadFolder> take_download_folder(const std::string& store);

}  // namespace sheaf::cli
