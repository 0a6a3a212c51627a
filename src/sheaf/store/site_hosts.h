#pragma once

#include "sheaf/base/url.h"

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sheaf::store {

/// Identity of a host: its name without a leading `www.`, and the port unless it is the scheme's default. So
/// http and https on their default ports are the same host; another port is another host.
std::string host_identity(const base::Url& url);

/// Whether a site's collections may contain pages of another host. The argument is a URL on that host.
using HostFilter = std::function<bool(const base::Url& page)>;

/// The hosts whose pages a site may supply: its own and those that `vouch` accepts. A collection is written
/// by the site, so it proves nothing about other hosts.
class SiteHosts {
 public:
  /// `site` is its origin. Without `vouch` no other host belongs to it.
  explicit SiteHosts(std::string_view site, HostFilter vouch = {});

  /// Whether the page belongs to the site. Calls `vouch` once for each of the first kRemembered other hosts,
  /// and for every page of hosts after these. Returns false if `page_url` is not a valid URL.
  [[nodiscard]] bool contain(std::string_view page_url);

  static constexpr std::size_t kRemembered = 1000;

 private:
  bool judge(const base::Url& page);

  std::string own_;     ///< identity of the site
  std::string prefix_;  ///< "https://example.com/", the prefix of most pages
  HostFilter vouch_;
  std::unordered_map<std::string, bool> others_;
};

}  // namespace sheaf::store
