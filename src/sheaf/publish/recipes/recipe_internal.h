#pragma once

#include "sheaf/publish/recipes/recipe.h"

#include <string>

namespace sheaf::publish {

std::string systemd_recipe(const PublishConfig& config, const RecipeFacts& facts);
std::string cron_recipe(const PublishConfig& config, const RecipeFacts& facts);
std::string github_recipe(const PublishConfig& config, const RecipeFacts& facts);
base::Result<std::string> nginx_recipe(const PublishConfig& config);
base::Result<std::string> caddy_recipe(const PublishConfig& config);

}  // namespace sheaf::publish
