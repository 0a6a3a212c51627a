#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/config/config.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::publish {

/// Configurations for other programs that run sheaf or serve its files.
enum class Recipe : std::uint8_t {
  systemd,
  cron,
  github,
  github_pages,
  nginx,
  caddy,
  apache,
  htaccess,
  netlify,
  cloudflare,
  vercel,
  s3,
};
/// The names of the recipes, in the order of their values.
inline constexpr std::array<std::string_view, 12> kRecipeNames = {
    "systemd", "cron",     "github",  "github-pages", "nginx",  "caddy",
    "apache",  "htaccess", "netlify", "cloudflare",   "vercel", "s3"};

std::optional<Recipe> parse_recipe(std::string_view name);

/// What a recipe depends on. All paths are absolute.
struct RecipeFacts {
  std::vector<std::string> command;          ///< the command line of the user
  std::vector<std::string> command_in_repo;  ///< the same command, run from the root of a repository
  std::filesystem::path folder;              ///< working folder
  std::string user;                          ///< owner of that folder; empty if unknown
};

/// The complete text of a recipe. Fails with Errc::refused if a path has a character that the other program
/// cannot represent.
base::Result<std::string> make_recipe(Recipe recipe, const PublishConfig& config, const RecipeFacts& facts);

// Quote a word for the shell and for systemd.
std::string shell_word(std::string_view word);
std::string systemd_word(std::string_view word);

}  // namespace sheaf::publish
