#pragma once

#include "sheaf/base/error.h"

#include <filesystem>

namespace sheaf::base {

/// Creates a folder and its parents if they do not exist. They survive a power loss.
Result<void> make_folder(const std::filesystem::path& folder);

}  // namespace sheaf::base
