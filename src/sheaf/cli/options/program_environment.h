#pragma once

#include <optional>
#include <string>

namespace sheaf::cli {

/// Returns an environment variable, or nullopt if it is not set. Used for the keys of object storage.
std::optional<std::string> environment_variable(const std::string& name);

}  // namespace sheaf::cli
