#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/config/config.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::publish {

/// Texts that make other programs run sheaf, or serve what it wrote.
enum class Recipe : std::uint8_t { systemd, cron, github, nginx, caddy };

std::optional<Recipe> parse_recipe(std::string_view name);

/// What a recipe depends on. All paths are absolute.
struct RecipeFacts {
  std::vector<std::string> command;          ///< the program and its words, as the user called it
  std::vector<std::string> command_in_repo;  ///< the same as it is run from the root of a repository
  std::filesystem::path folder;              ///< to run it in
  std::string user;                          ///< whom that folder belongs to; empty if unknown
};

/// The text, which works as it is. refused: a path has a character that the other program cannot be told.
base::Result<std::string> make_recipe(Recipe recipe, const PublishConfig& config, const RecipeFacts& facts);

// How each program wants its words.
std::string shell_word(std::string_view word);
std::string systemd_word(std::string_view word);

}  // namespace sheaf::publish
