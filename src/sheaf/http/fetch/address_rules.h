#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"

#include <functional>
#include <string>
#include <string_view>

// Which network addresses may be contacted. A host name is checked before it is resolved. The resolved
// address is checked again where the socket is opened (is_public_address), so DNS rebinding does not help an
// attacker.
namespace sheaf::http::fetch {

/// Whether a host name always means this machine: localhost, anything.localhost, and common aliases.
bool is_local_name(std::string_view host) noexcept;

/// Whether a textual IP address ("127.0.0.1", "fe80::1") is public: not loopback, private, link-local,
/// multicast or reserved, and not a mapping of such an address (::ffff:, 64:ff9b::).
bool is_public_address(std::string_view address);

/// Fails with Errc::refused if the URL's host is a local name or a literal address that is not public. Other
/// names pass: their addresses are checked once they are resolved.
base::Result<void> check_literal_host(const base::Url& url);

/// The error for a host that is not public, with advice. `address` is what its name resolved to, or empty.
base::Error private_host_error(std::string_view url, std::string_view address);

/// The target of a redirect: `location` resolved against the URL that answered. Fails with Errc::refused if
/// it is not http(s) or is a downgrade that is not allowed, and with Errc::invalid_data if it is not a URL.
/// The fragment is removed, and so are user name and password unless the origin stays the same.
base::Result<base::Url> redirect_target(std::string_view location, const base::Url& from,
                                        bool allow_downgrade);

/// The same URL without user name and password. Pages are requested and stored without them, because their
/// URLs are exported and published.
base::Url without_credentials(const base::Url& url);

/// "example.com:443": the key for per-host limits.
std::string host_key(const base::Url& url);

/// A URL for messages: without user name and password, and at most about 300 bytes long.
std::string shown_url(const base::Url& url);

/// The proxy settings of the environment. libcurl could read them itself, but then we could not tell whether
/// a connection goes to the site or to a proxy. The address checks apply to sites, not to proxies.
struct ProxySettings {
  std::string http = {};    ///< http_proxy; never HTTP_PROXY, which a client of a CGI program could set
  std::string https = {};   ///< https_proxy or HTTPS_PROXY
  std::string all = {};     ///< all_proxy or ALL_PROXY; used if there is no proxy for the scheme
  std::string except = {};  ///< no_proxy or NO_PROXY
};

/// `variable` returns the value of an environment variable; empty if it is not set.
ProxySettings read_proxy_settings(const std::function<std::string(const char*)>& variable);

/// The proxy for a URL; empty for none. `except` is a list separated by commas or spaces. Its entries are "*"
/// for every host, a name for itself and its subdomains (".example.com" and "example.com" are the same), an
/// IP address, or a network (10.0.0.0/8).
std::string choose_proxy(const ProxySettings& settings, const base::Url& url);

}  // namespace sheaf::http::fetch
