#pragma once

#include <string>
#include <string_view>

namespace sheaf::base {

/// The URL Standard's host parser and serialiser for http(s): appends `host` (a domain, IPv4 or bracketed
/// IPv6 address, possibly percent-encoded) in normal form. Returns false if it is not a valid host; `out` is
/// then unspecified.
bool append_host(std::string& out, std::string_view host);

}  // namespace sheaf::base
