#pragma once

#include "sheaf/cli/commands/commands.h"
#include "sheaf/publish/config/config.h"

#include <string>
#include <vector>

namespace sheaf::cli {

/// The name of a recipe, and the options of the publish command that it runs.
struct RecipeRequest {
  std::string name;  ///< "nginx"
  std::string config_file;
  std::string folder;
  std::string base;
  std::string out;
  std::string section;
  std::string state;
};

/// Prints the recipe for `config`, which was made from the options in `request`.
ExitStatus print_recipe(const publish::PublishConfig& config, const RecipeRequest& request);

}  // namespace sheaf::cli
