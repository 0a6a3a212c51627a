#pragma once

#include "sheaf/base/error.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace sheaf::publish {

/// What `publish --init` finds out about a WordPress site from wp-config.php and the database.
struct WordPressSite {
  std::string config;     ///< the settings file: its name, or its absolute path if it is not in the folder
  bool is_served = true;  ///< whether the web server serves the folder
  std::string folder;     ///< the name of the site's folder
  std::string base;       ///< the site's URL; empty if unknown
  std::string problem;    ///< why the database could not be read; empty if it was
  std::uint64_t posts = 0;
  std::uint64_t pages = 0;
  bool is_hidden = false;  ///< the site asks search engines not to index it
  struct Category {
    std::string slug;
    std::uint64_t posts = 0;
  };
  std::vector<Category> categories;  ///< with enough posts for a section, most posts first
};

/// Returns nullopt if there is no wp-config.php in the folder. An unreachable database is reported in
/// `problem`.
base::Result<std::optional<WordPressSite>> find_wordpress(const std::filesystem::path& folder);
/// Reads a settings file at another place, such as /etc/wordpress/config-HOST.php, for a sheaf.toml in
/// `folder`.
base::Result<WordPressSite> read_wordpress(const std::filesystem::path& file,
                                           const std::filesystem::path& folder);

/// A sheaf.toml for the site, with categories as sections that the user can uncomment. A pure function.
std::string draft_wordpress_config(const WordPressSite& site);

}  // namespace sheaf::publish
