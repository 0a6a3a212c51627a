#pragma once

#include "sheaf/base/url.h"

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace sheaf::store {

/// What two URLs of one host have in common: the host without a leading `www.`, and the port unless it is the
/// default one of its scheme. So http and https on their default ports are the same host, any other port is
/// another.
std::string host_identity(const base::Url& url);

/// Whether another host's page may come with a site's collections. The argument is a URL on that host.
using HostVouch = std::function<bool(const base::Url& page)>;

/// The hosts whose pages a site may supply: its own, and those that `vouch` accepts. A collection is written
/// by the site, so what it says of other hosts proves nothing.
class SiteHosts {
 public:
  /// `site` is its origin. Without `vouch` no other host belongs to it.
  explicit SiteHosts(std::string_view site, HostVouch vouch = {});

  /// Whether the page belongs to the site. Asks `vouch` at most once for a host, or again for those beyond
  /// the first kRemembered. False for what is not a URL.
  [[nodiscard]] bool contain(std::string_view page_url);

  static constexpr std::size_t kRemembered = 1000;

 private:
  bool judge(const base::Url& page);

  std::string own_;     ///< identity of the site
  std::string prefix_;  ///< "https://example.com/", with which most pages begin
  HostVouch vouch_;
  std::unordered_map<std::string, bool> others_;
};

}  // namespace sheaf::store
