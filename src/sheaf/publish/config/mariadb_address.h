#pragma once

#include "sheaf/base/error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::publish {

enum class MariadbTls : std::uint8_t {
  off,
  required,  ///< encrypted, but the server is not verified
  verified,  ///< encrypted, and the server has a valid certificate for the host
};

/// The address of a MariaDB or MySQL database.
struct MariadbAddress {
  std::string user = {};  ///< empty: the user in the option files, or the user of the process
  std::string host = {};  ///< empty: connect by the socket
  std::uint16_t port = 0;
  std::string socket = {};  ///< empty: the default socket
  std::string database = {};
  /// With another machine, passwords and pages are encrypted unless the user chooses otherwise.
  MariadbTls tls = MariadbTls::off;
  std::string authorities = {};  ///< file of certificates to trust instead of the system's
};

/// Whether the text begins with mariadb:// or mysql://.
bool is_mariadb_url(std::string_view text);

/// Parses mariadb://user@host:3306/database?tls=verified&ca=FILE, or mariadb://user@localhost/database for a
/// server on this machine, whose socket can be given with socket=PATH. `tls` is by default `off` for this
/// machine and `verified` for others. Fails with Errc::invalid_argument; the message does not contain the
/// text, which may have a password.
base::Result<MariadbAddress> parse_mariadb_url(std::string_view text);

/// Whether the host is this machine.
bool is_this_machine(std::string_view host);

}  // namespace sheaf::publish
