#include "sheaf/site/page_identity.h"

#include <string>

namespace sheaf::site {

std::string site_key(const base::Url& url) {
  std::string_view host = url.host();
  if (host.starts_with("www.")) host.remove_prefix(4);
  std::string site(host);
  if (const auto port = url.port()) site += ':' + std::to_string(*port);
  return site;
}

namespace {

/// The part of a URL that identifies the page.
std::string page_key(const base::Url& url) {
  std::string_view path = url.path();
  for (const std::string_view extension : {".html", ".htm", ".xhtml", ".md", ".markdown"}) {
    if (!path.ends_with(extension)) continue;
    path.remove_suffix(extension.size());
    break;
  }
  if (path.ends_with("/index")) path.remove_suffix(5);
  while (path.ends_with('/')) path.remove_suffix(1);
  std::string key = site_key(url);
  key += path;
  if (url.has_query()) (key += '?') += url.query();
  return key;
}

}  // namespace

bool is_same_site(const base::Url& a, const base::Url& b) { return site_key(a) == site_key(b); }

Canonical judge_canonical(const base::Url& address, const base::Url& canonical) {
  if (!is_same_site(address, canonical)) return Canonical::elsewhere;
  return page_key(address) == page_key(canonical) ? Canonical::same : Canonical::other;
}

}  // namespace sheaf::site
