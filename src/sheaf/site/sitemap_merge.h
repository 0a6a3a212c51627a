#pragma once

#include "sheaf/base/error.h"
#include "sheaf/site/advertised.h"
#include "sheaf/site/sitemap.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::site {

/// A sitemap file with what was put into it.
struct MergedSitemap {
  std::string bytes;
  bool changed = false;                  ///< whether they differ from what was there
  std::uint64_t entries = 0;             ///< `url` or `sitemap` entries
  std::vector<SitemapFinding> findings;  ///< over_sitemap_limit: past what sitemaps.org allows a file
};

/// What a file is, before anything is written: a urlset takes SCP elements, an index takes a file of its own
/// that holds them. An error says why the file cannot be changed and what to do.
base::Result<SitemapKind> kind_of_sitemap(std::string_view existing);

/// Puts SCP elements into a urlset in place of those that are there, under whatever prefix. Every other byte
/// stays: entries, comments, prefixes, declaration, encoding, line ends. The elements stand where the first
/// old one stood, else right after the first tag, indented as the file is; the namespace is declared once on
/// the first element, with the prefix `scp` unless that means something else there. An element goes with the
/// white space that sets it on its line. The same elements again change nothing.
///
/// Nothing advertised takes all SCP elements out, and the namespace where nothing else needs it; that is
/// possible for an index too. An empty first element (<urlset/>) is opened, and stays open.
///
/// Errors: what cannot be changed byte by byte (not well-formed, a document type, UTF-16 and the like), an
/// index, and elements that the drafts' schema would refuse.
base::Result<MergedSitemap> merge_advertised(std::string_view existing, const Advertised& advertised);

/// A new urlset with nothing but SCP elements.
base::Result<std::string> write_sitemap(const Advertised& advertised);

/// Lists a sitemap in an index, once: where it is listed already, however it is spelt, nothing changes. The
/// entry comes last and looks like the first one.
base::Result<MergedSitemap> add_child_sitemap(std::string_view index, std::string_view loc);

}  // namespace sheaf::site
