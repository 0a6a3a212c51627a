#pragma once

#include "sheaf/base/error.h"

#include <filesystem>
#include <string_view>

// Files with secret keys.
namespace sheaf::base {

/// Writes a new file that only its owner can read. Fails with Errc::already_exists instead of replacing a
/// file, because a lost key cannot be restored.
Result<void> write_secret_file(const std::filesystem::path& file, std::string_view bytes);

/// Fails with Errc::refused if other users can access the file. The message says what to do.
Result<void> check_secret_file(const std::filesystem::path& file);

}  // namespace sheaf::base
