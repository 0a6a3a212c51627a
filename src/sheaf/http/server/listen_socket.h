#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::http::server {

/// Listens on "ADDRESS:PORT": 127.0.0.1:8080, [::1]:8080, localhost:8080, or :8080 and *:8080 for all IPv6
/// and IPv4 addresses. With port 0 the system chooses a port. A name with several addresses gives several
/// sockets. Fails if the address is malformed, in use or not permitted; the message names the address.
base::Result<std::vector<base::FileDescriptor>> listen_on(std::string_view address);

/// Adopts a socket passed by a service manager. Fails if it is not listening.
base::Result<void> adopt_listener(int descriptor);

/// Where a socket listens, for messages and tests: "127.0.0.1:8080", "[::]:8080", "unix:/run/x".
std::string describe_listener(int descriptor);

}  // namespace sheaf::http::server
