#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/config/mariadb_address.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::publish {

/// The database settings in wp-config.php.
struct WordPressSettings {
  MariadbAddress address;
  std::string password;
  std::string prefix = "wp_";  ///< prefix of the tables: only letters, digits and _
  std::string home;            ///< WP_HOME; usually empty, because this setting is in the database
};

/// The value of define('NAME', 'value') in the text of a PHP program, which is not run. Comments are skipped.
/// nullopt if there is none, or if the value is not a literal.
std::optional<std::string> find_php_constant(std::string_view text, std::string_view name);

/// The literal that is assigned to a variable: $name = 'value'; nullopt if there is none.
std::optional<std::string> find_php_variable(std::string_view text, std::string_view name);

/// Reads wp-config.php. Errors say which setting is missing, and never contain a password.
base::Result<WordPressSettings> read_wordpress_settings(const std::filesystem::path& file);
/// Parses the text of a wp-config.php; `name` is for messages.
base::Result<WordPressSettings> parse_wordpress_settings(std::string_view text, const std::string& name);

}  // namespace sheaf::publish
