#pragma once

#include "sheaf/base/error.h"
#include "sheaf/site/advertised.h"
#include "sheaf/site/sitemap.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::site {

using sheaf::MergedSitemap;

/// The kind of a file. SCP elements can be added to a urlset; to an index, only a sitemap that has them. An
/// error says why the file cannot be changed, and what to do.
base::Result<SitemapKind> kind_of_sitemap(std::string_view existing);

/// Replaces the SCP elements of a urlset, with any prefix. Every other byte stays: entries, comments,
/// prefixes, declaration, encoding, line ends. The new elements go where the first old one was, or right
/// after the root tag, with the file's indentation. The namespace is declared on the root element, with the
/// prefix `scp` unless that is taken. An element is removed together with its indentation. Idempotent.
///
/// If nothing is advertised, all SCP elements are removed, and the namespace if nothing else uses it. That
/// also works on an index. An empty root element (<urlset/>) is opened and stays open.
///
/// Fails if the file cannot be edited in place (it is not well-formed, has a document type, is UTF-16 and the
/// like), if it is an index, or if an element would violate the drafts' schema.
base::Result<MergedSitemap> merge_advertised(std::string_view existing, const Advertised& advertised);

/// A new urlset with SCP elements only.
base::Result<std::string> write_sitemap(const Advertised& advertised);

/// Adds a sitemap to an index, unless the index lists it already (compared after URL normalisation). The
/// entry comes last and is formatted like the first one.
base::Result<MergedSitemap> add_child_sitemap(std::string_view index, std::string_view loc);

}  // namespace sheaf::site
