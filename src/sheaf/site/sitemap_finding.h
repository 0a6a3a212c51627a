#pragma once

#include <sheaf/sitemap.h>

namespace sheaf::site {

using sheaf::kSitemapCodeCount;
using sheaf::level_of;
using sheaf::SitemapCode;
using sheaf::SitemapFinding;
using sheaf::SitemapLevel;
using sheaf::to_string;

}  // namespace sheaf::site
