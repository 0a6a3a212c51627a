#pragma once

#include "sheaf/base/url.h"

#include <functional>
#include <string>
#include <string_view>

namespace sheaf::http {

/// What the usual variables of the environment say. libcurl would read them itself, but then nobody could
/// tell whether a connection goes to the site or to a proxy, which must not be judged as a site is.
struct ProxySettings {
  std::string http = {};    ///< http_proxy; never HTTP_PROXY, which a CGI's client could set
  std::string https = {};   ///< https_proxy or HTTPS_PROXY
  std::string all = {};     ///< all_proxy or ALL_PROXY, where the scheme has none of its own
  std::string except = {};  ///< no_proxy or NO_PROXY
};

/// `variable` gives the value of a variable, empty where there is none.
ProxySettings read_proxy_settings(const std::function<std::string(const char*)>& variable);

/// The proxy for an address; empty for none. `except` is a list by commas or spaces: "*" for every host, a
/// name for itself and all below it (".example.com" and "example.com" are the same), an address, a network
/// (10.0.0.0/8).
std::string choose_proxy(const ProxySettings& settings, const base::Url& url);

}  // namespace sheaf::http
