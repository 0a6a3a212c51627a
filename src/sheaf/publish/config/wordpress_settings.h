#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/config/mariadb_address.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::publish {

/// What wp-config.php says about the database.
struct WordPressSettings {
  MariadbAddress address;
  std::string password;
  std::string prefix = "wp_";  ///< of the tables: letters, digits and _ only
  std::string home;            ///< WP_HOME; mostly empty, since it is in the database
};

/// The value of define('NAME', 'value') in the text of a PHP program, which is not run; nullopt if there is
/// none, or if it is not a literal. Comments are skipped.
std::optional<std::string> find_php_constant(std::string_view text, std::string_view name);

/// The literal that is assigned to a variable: $name = 'value'.
std::optional<std::string> find_php_variable(std::string_view text, std::string_view name);

/// Reads wp-config.php. Errors say which setting is missing; never a password.
base::Result<WordPressSettings> read_wordpress_settings(const std::filesystem::path& file);
/// The same from its text; `name` is for messages.
base::Result<WordPressSettings> parse_wordpress_settings(std::string_view text, const std::string& name);

}  // namespace sheaf::publish
