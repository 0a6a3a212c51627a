#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/delivery/target.h"
#include "sheaf/site/advertised.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

// The sitemap of a site that has none of its own: publish creates it, lists the pages in it, and keeps it
// current. A comment in the file marks it. A file without that comment is not ours, and only the SCP elements
// are added to it.
namespace sheaf::publish {

/// Calls its argument for each page of the site, with its URL and `modified`, always in the same order.
using EachPage = std::function<base::Result<void>(
    const std::function<base::Result<void>(std::string_view url, std::string_view modified)>&)>;

/// Limits of one file; tests use smaller ones.
struct PageListLimits {
  std::size_t urls = 50'000;
  std::size_t bytes = std::size_t{50} << 20;
};

/// Whether the SCP elements in the sitemap at the target can stay (is_sitemap_current() in release.h): they
/// are current and their expiry times are far enough in the future.
enum class ElementsThere : std::uint8_t { current, outdated };

/// Lists all pages in the sitemap at the target, if publish made that sitemap or there is none. If there are
/// too many pages for one file, they go to sitemap-pages-1.xml and so on, and the sitemap is an index of
/// these files. The sitemap is written at most once, with pages and elements. Returns whether anything was
/// written.
base::Result<bool> list_pages(Target& target, const PublishConfig& config, const site::Advertised& advertised,
                              const EachPage& pages, ElementsThere there, const PageListLimits& limits = {});

}  // namespace sheaf::publish
