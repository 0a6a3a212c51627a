#pragma once

#include "sheaf/base/error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::publish {

enum class MariadbTls : std::uint8_t {
  off,
  required,  ///< encrypted, whoever the server is
  verified,  ///< encrypted, with a valid certificate of the host
};

/// Where a MariaDB or MySQL database is.
struct MariadbAddress {
  std::string user = {};  ///< empty: as in the option files, or the user of the process
  std::string host = {};  ///< empty: the socket
  std::uint16_t port = 0;
  std::string socket = {};  ///< empty: the default socket
  std::string database = {};
  /// Passwords and pages of other machines do not travel in the open unless the user asks for that.
  MariadbTls tls = MariadbTls::off;
  std::string authorities = {};  ///< a file of certificates to trust instead of the system's
};

/// mariadb: or mysql: followed by two slashes.
bool is_mariadb_url(std::string_view text);

/// Reads mariadb://user@host:3306/database?tls=verified&ca=FILE, or mariadb://user@localhost/database for a
/// server on this machine, whose socket can be given with socket=PATH. The defaults of `tls` are `off` for
/// this machine and `verified` for others. Errors: invalid_argument, without the text, which may have a
/// password.
base::Result<MariadbAddress> parse_mariadb_url(std::string_view text);

/// Whether the host is this machine.
bool is_this_machine(std::string_view host);

}  // namespace sheaf::publish
