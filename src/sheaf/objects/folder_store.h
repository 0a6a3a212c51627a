#pragma once

#include "sheaf/objects/object_store.h"

#include <filesystem>
#include <memory>

namespace sheaf::objects {

/// Stores objects as files below a folder, which is created if it does not exist; several machines may mount
/// it. Each file appears complete or not at all. An entity tag consists of size and modification time.
std::unique_ptr<ObjectStore> folder_store(const std::filesystem::path& folder);

}  // namespace sheaf::objects
