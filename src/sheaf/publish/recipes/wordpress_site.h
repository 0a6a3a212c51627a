#pragma once

#include "sheaf/base/error.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::publish {

/// What `publish --init` finds out about a WordPress site: from wp-config.php, and from its database.
struct WordPressSite {
  std::string config;     ///< the settings file: its name, or its whole path if it is not in the folder
  bool is_served = true;  ///< the folder is the one that the web server serves
  std::string folder;     ///< the name of the site's folder
  std::string base;       ///< the site's URL; empty if unknown
  std::string problem;    ///< why the database could not be asked; empty if it was
  std::uint64_t posts = 0;
  std::uint64_t pages = 0;
  bool is_hidden = false;  ///< the site asks search engines to stay away
  struct Category {
    std::string slug;
    std::uint64_t posts = 0;
  };
  std::vector<Category> categories;  ///< with enough posts for a section, most posts first
};

/// nullopt if there is no wp-config.php in the folder. An unreachable database is a `problem`.
base::Result<std::optional<WordPressSite>> find_wordpress(const std::filesystem::path& folder);
/// The site of a settings file elsewhere, such as /etc/wordpress/config-HOST.php, for a sheaf.toml in
/// `folder`.
base::Result<WordPressSite> read_wordpress(const std::filesystem::path& file,
                                           const std::filesystem::path& folder);

/// A sheaf.toml for it, with categories as sections that can be switched on. Pure.
std::string draft_wordpress_config(const WordPressSite& site);

}  // namespace sheaf::publish
