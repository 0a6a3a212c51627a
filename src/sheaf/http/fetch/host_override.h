#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::http::fetch {

/// Sends requests for a host to another address, like curl's --connect-to. This is for trying out a site
/// under its real name while it is served on this machine. URLs, certificates and the Host header do not
/// change.
struct HostOverride {
  std::string host;         ///< as in URLs: lower case, punycode
  std::string connect_to;   ///< "127.0.0.1:8080"
  bool plain_http = false;  ///< without TLS, also for https URLs
};

/// Parses "example.com=127.0.0.1:8443", "example.com=https://127.0.0.1:8443", or, for a server without TLS,
/// "example.com=http://127.0.0.1:8080". The default port is that of the scheme.
base::Result<HostOverride> parse_host_override(std::string_view text);

/// The override of the URL's host, on any port; null if there is none.
const HostOverride* find_override(const std::vector<HostOverride>& overrides, const base::Url& url);

}  // namespace sheaf::http::fetch
