#pragma once

#include "sheaf/objects/object_store.h"

#include <memory>
#include <string>
#include <vector>

namespace sheaf::objects {

/// The user's commands as argument lists. The placeholders {file}, {name}, {type}, {encoding} and {cache} are
/// replaced in each argument. No shell is involved.
struct CommandSettings {
  std::vector<std::string> put;
  std::vector<std::string> remove;  ///< if empty, old files are not removed
};

/// A store that uploads and removes files with commands. It cannot be read.
std::unique_ptr<ObjectStore> command_store(const CommandSettings& settings);

}  // namespace sheaf::objects
