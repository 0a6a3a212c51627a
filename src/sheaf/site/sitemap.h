#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/site/advertised.h"
#include "sheaf/site/sitemap_finding.h"
#include <sheaf/sitemap.h>
#include <sheaf/time.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::site {

/// Limits of sitemaps.org for one file. A larger file is reported and still read.
inline constexpr std::uint64_t kSitemapUrls = 50'000;
inline constexpr std::uint64_t kSitemapBytes = std::uint64_t{50} * 1024 * 1024;

using sheaf::AdvertisedSitemap;
using sheaf::ChildSitemap;
using sheaf::Reading;
using sheaf::SitemapKind;
using sheaf::SitemapLimits;
using sheaf::SitemapSink;
using sheaf::SitemapSummary;
using sheaf::SitemapUrl;
using sheaf::to_string;

/// Reads a sitemap, a sitemap index or a text sitemap in constant memory. gzip is detected by its first bytes
/// and decoded, up to twice. No external resource is loaded and no entity expanded. `base` is the sitemap's
/// own URL, if known: relative URLs are resolved against it, or skipped without it. Fails only if `source`
/// fails; all problems in the file are findings.
base::Result<SitemapSummary> read_sitemap(base::ByteSource& source, const SitemapLimits& limits,
                                          SitemapSink& sink, const base::Url* base = nullptr);

/// Collects the SCP elements and the problems of a sitemap. URL entries are only counted.
base::Result<AdvertisedSitemap> read_advertised(base::ByteSource& source, const SitemapLimits& limits = {},
                                                const base::Url* base = nullptr);

}  // namespace sheaf::site
