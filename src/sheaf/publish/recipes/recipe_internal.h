#pragma once

#include "sheaf/publish/recipes/recipe.h"

#include <string>

namespace sheaf::publish {

std::string systemd_recipe(const PublishConfig& config, const RecipeFacts& facts);
std::string cron_recipe(const PublishConfig& config, const RecipeFacts& facts);
std::string github_recipe(const PublishConfig& config, const RecipeFacts& facts);
base::Result<std::string> nginx_recipe(const PublishConfig& config);
base::Result<std::string> caddy_recipe(const PublishConfig& config);
base::Result<std::string> apache_recipe(const PublishConfig& config);
base::Result<std::string> htaccess_recipe(const PublishConfig& config);
std::string github_pages_recipe(const PublishConfig& config, const RecipeFacts& facts);
/// For hosts that read `_headers`: Netlify and Cloudflare Pages.
std::string headers_file_recipe(const PublishConfig& config);
std::string vercel_recipe(const PublishConfig& config);
std::string s3_recipe(const PublishConfig& config);

/// The path of the collections' URL, with a slash at both ends.
std::string collections_path(const PublishConfig& config);
/// An absolute path without a slash at its end.
std::string absolute_path(const std::filesystem::path& path);

}  // namespace sheaf::publish
