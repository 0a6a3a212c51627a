#include "sheaf/store/site_hosts.h"

#include <utility>

namespace sheaf::store {

std::string host_identity(const base::Url& url) {
  std::string_view host = url.host();
  if (host.starts_with("www.")) host.remove_prefix(4);
  std::string identity(host);
  if (const auto port = url.port()) identity += ":" + std::to_string(*port);
  return identity;
}

SiteHosts::SiteHosts(std::string_view site, HostFilter vouch) : vouch_(std::move(vouch)) {
  const auto url = base::Url::parse(site);
  if (!url) return;
  own_ = host_identity(*url);
  prefix_ = url->origin() + "/";
}

bool SiteHosts::contain(std::string_view page_url) {
  // Parsing a URL costs more than everything else here, so common URLs are compared as text.
  if (!prefix_.empty() && page_url.starts_with(prefix_)) return true;
  const auto url = base::Url::parse(page_url);
  return url && judge(*url);
}

bool SiteHosts::judge(const base::Url& page) {
  std::string identity = host_identity(page);
  if (identity == own_) return true;
  if (!vouch_) return false;
  if (const auto known = others_.find(identity); known != others_.end()) return known->second;
  const bool belongs = vouch_(page);
  if (others_.size() < kRemembered) others_.emplace(std::move(identity), belongs);
  return belongs;
}

}  // namespace sheaf::store
