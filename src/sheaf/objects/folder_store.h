#pragma once

#include "sheaf/objects/object_store.h"

#include <filesystem>
#include <memory>

namespace sheaf::objects {

/// Objects as files below a folder, which is created if it does not exist; several machines may mount it.
/// Each file appears complete or not at all. Entity tags are made of size and time of modification.
std::unique_ptr<ObjectStore> folder_store(const std::filesystem::path& folder);

}  // namespace sheaf::objects
