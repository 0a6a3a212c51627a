#pragma once

#include "sheaf/base/url.h"
#include "sheaf/model/page.h"

#include <cstdint>
#include <string_view>

namespace sheaf::site {

/// Whether two addresses are of one site: the same host, `www.` aside, and the same port. http and https on
/// their default ports are one site.
bool is_same_site(const base::Url& a, const base::Url& b);

enum class Canonical : std::uint8_t {
  same,       ///< another spelling of the same page's address
  other,      ///< another page of this site, of which this one is a duplicate
  elsewhere,  ///< a page of another site
};

/// What a page's own canonical address says of it. Scheme, `www.`, index files, extensions and a slash at the
/// end make no difference: which of these a server wants, the page knows better than its file's name does.
Canonical judge_canonical(const base::Url& address, const base::Url& canonical);

/// Whether the page's robots words, of its markup or its headers, ask that nobody keeps it.
bool asks_not_to_be_indexed(const model::Page& page);

}  // namespace sheaf::site
