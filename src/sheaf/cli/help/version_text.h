#pragma once

#include <string>

namespace sheaf::cli {

/// What --version prints: our version, then the libraries that are in use right now.
std::string version_text();

}  // namespace sheaf::cli
