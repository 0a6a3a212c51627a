#pragma once

#include <string>

namespace sheaf::cli {

/// The output of --version: our version, then those of the libraries in use.
std::string version_text();

}  // namespace sheaf::cli
