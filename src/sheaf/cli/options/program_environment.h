#pragma once

#include <optional>
#include <string>

namespace sheaf::cli {

/// A variable of the environment; nothing if it is not set. For the keys of object storage.
std::optional<std::string> environment_variable(const std::string& name);

}  // namespace sheaf::cli
