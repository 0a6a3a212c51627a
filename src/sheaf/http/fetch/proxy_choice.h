#pragma once

#include "sheaf/base/url.h"

#include <functional>
#include <string>
#include <string_view>

namespace sheaf::http::fetch {

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
