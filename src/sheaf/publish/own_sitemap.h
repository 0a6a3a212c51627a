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

// The sitemap of a site that has none of its own: publish makes it, lists the pages in it, and keeps it
// current. A comment in the file says so; a file without the comment is somebody else's and only takes our
// elements.
namespace sheaf::publish {

/// Calls its argument for each page of the site, with its URL and `modified`, in the same order every time.
using EachPage = std::function<base::Result<void>(
    const std::function<base::Result<void>(std::string_view url, std::string_view modified)>&)>;

/// Limits of one file; smaller ones are for tests.
struct PageListLimits {
  std::size_t urls = 50'000;
  std::size_t bytes = std::size_t{50} << 20;
};

/// Whether the SCP elements of the sitemap at the target can stay (is_sitemap_current() in release.h), with
/// expiry times that are still far enough away.
enum class ElementsThere : std::uint8_t { current, outdated };

/// Lists all pages in the sitemap at the target, if it is ours or there is none. With more pages than one
/// file may have, they go to sitemap-pages-1.xml and so on, and the sitemap is an index of them. True if
/// something was written. It is written at most once, with pages and elements.
base::Result<bool> list_pages(Target& target, const PublishConfig& config, const site::Advertised& advertised,
                              const EachPage& pages, ElementsThere there, const PageListLimits& limits = {});

}  // namespace sheaf::publish
