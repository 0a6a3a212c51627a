#pragma once

#include "sheaf/base/error.h"

#include <filesystem>
#include <string_view>

// Files with secret keys.
namespace sheaf::base {

/// Writes a new file that only its owner can read. Never replaces a file (already_exists): a key that is lost
/// cannot be made again.
Result<void> write_secret_file(const std::filesystem::path& file, std::string_view bytes);

/// Refuses a file that other users can read or write, and says what to do.
Result<void> check_secret_file(const std::filesystem::path& file);

}  // namespace sheaf::base
