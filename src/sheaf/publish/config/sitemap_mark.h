#pragma once

#include <cstddef>
#include <string_view>

namespace sheaf::publish {

/// The comment in a sitemap that publish made. A sitemap without it was made by another program.
inline constexpr std::string_view kOwnSitemapMark =
    "<!-- made by sheaf publish, which lists the site's pages here -->";
/// The comment is within this many bytes from the start, before the root element.
inline constexpr std::size_t kOwnSitemapStart = 1024;

/// Whether publish made the sitemap that begins with these bytes, so that it may replace the sitemap.
inline bool is_own_sitemap(std::string_view bytes) {
  return bytes.substr(0, kOwnSitemapStart).contains(kOwnSitemapMark);
}

}  // namespace sheaf::publish
