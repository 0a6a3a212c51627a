#pragma once

#include <cstddef>
#include <string_view>

namespace sheaf::publish {

/// The comment in a sitemap that publish made. A sitemap without it belongs to somebody else.
inline constexpr std::string_view kOwnSitemapMark =
    "<!-- made by sheaf publish, which lists the site's pages here -->";
/// The comment is among the first bytes, before the root element.
inline constexpr std::size_t kOwnSitemapStart = 1024;

/// Whether publish made the sitemap that begins with these bytes, and may replace it.
inline bool is_own_sitemap(std::string_view bytes) {
  return bytes.substr(0, kOwnSitemapStart).contains(kOwnSitemapMark);
}

}  // namespace sheaf::publish
