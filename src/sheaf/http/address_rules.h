#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"

#include <string>
#include <string_view>

// Which addresses may be fetched. Names are judged before they are resolved, and what they resolve to once
// more by whoever opens the socket (is_public_address of fetch.h).
namespace sheaf::http {

/// A name that means this machine by definition: localhost, anything.localhost, and what systems call it
/// besides.
bool is_local_name(std::string_view host) noexcept;

/// Whether the host of the URL, where it is a literal address or a local name, is one of the public Internet;
/// any other name passes. Errc::refused.
base::Result<void> check_literal_host(const base::Url& url);

/// The refusal of a host that is not public, with what to do; `address` is what its name resolved to, or
/// empty.
base::Error private_host_error(std::string_view url, std::string_view address);

/// The address of a redirect: `location` as it came, read against the address that answered. Errc::refused
/// for what is not http(s) and for a downgrade that is not allowed, Errc::invalid_data for what is no
/// address. Without fragment; without user and password unless it stays on the same origin.
base::Result<base::Url> redirect_target(std::string_view location, const base::Url& from,
                                        bool allow_downgrade);

/// "example.com:443": what limits on a host count by.
std::string host_key(const base::Url& url);

/// A URL as messages show it: without user and password, and not longer than a line or two.
std::string shown_url(const base::Url& url);

}  // namespace sheaf::http
