#pragma once

#include "sheaf/base/url.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sheaf::site {

/// The key that all URLs of a site share: the host without `www.`, and the port if it is not the default one.
std::string site_key(const base::Url& url);

/// Whether two URLs belong to the same site: the same host, ignoring `www.`, and the same port. http and
/// https on their default ports are the same site.
bool is_same_site(const base::Url& a, const base::Url& b);

enum class Canonical : std::uint8_t {
  same,       ///< another spelling of the same page's URL
  other,      ///< another page of this site: this page is a duplicate of it
  elsewhere,  ///< a page of another site
};

/// Compares a page's URL with its canonical URL. Scheme, `www.`, index files, extensions and a trailing slash
/// make no difference: the canonical URL is then only the spelling that the page prefers.
Canonical judge_canonical(const base::Url& address, const base::Url& canonical);

}  // namespace sheaf::site
