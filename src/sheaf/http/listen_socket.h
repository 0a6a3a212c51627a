#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/file.h"

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::http {

/// Listens on "ADDRESS:PORT": 127.0.0.1:8080, [::1]:8080, localhost:8080, or :8080 and *:8080 for every
/// address of the machine, IPv6 and IPv4. Port 0 lets the system choose. Several sockets where a name stands
/// for several addresses. The errors name the address: in use, not permitted, not an address.
base::Result<std::vector<base::FileDescriptor>> listen_on(std::string_view address);

/// Makes a socket handed in by a service manager ready for us; an error if it does not listen.
base::Result<void> adopt_listener(int descriptor);

/// Where a socket listens: "127.0.0.1:8080", "[::]:8080", "unix:/run/x", for people and for tests.
std::string describe_listener(int descriptor);

}  // namespace sheaf::http
