#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/catalog.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/delivery/target.h"
#include "sheaf/site/advertised.h"
#include <sheaf/time.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::publish {

/// The file next to the sitemap with our elements. It is used if the sitemap is an index, or must not be
/// changed (SitemapMode::separate).
inline constexpr std::string_view kSheafSitemapName = "sitemap-scp.xml";

/// The URL of a file next to the sitemap.
std::string sitemap_sibling_url(const PublishConfig& config, std::string_view name);
/// The sitemap that robots.txt has to name, so that clients find the collections.
std::string advertised_sitemap_url(const PublishConfig& config);

/// A section with the state that clients will see.
struct SectionRelease {
  std::string name;
  site::UpdateFreq update = site::UpdateFreq::daily;
  CatalogSection state;
};

/// What the sitemap states about the sections. A pure function.
site::Advertised advertise(const PublishConfig& config, const std::vector<SectionRelease>& sections,
                           Instant now);

/// Removes files that are too old from a section's state, and returns their names. If deltas are merged,
/// those are kept that lead clients that were away for long to the newest state (choose_chain() in
/// merge_plan.h).
std::vector<std::string> retire(CatalogSection& state, const Retention& retention, Instant now);

/// Whether the sitemap at the target equals `advertised`, except for expiry times that are still far enough
/// in the future. Then it need not change.
base::Result<bool> is_sitemap_current(Target& target, const PublishConfig& config,
                                      const site::Advertised& advertised, Instant now);

struct SitemapChange {
  bool changed = false;
  std::vector<std::string> notes;
};

/// Writes kSheafSitemapName. Returns whether it has changed.
base::Result<bool> write_separate_sitemap(Target& target, const site::Advertised& advertised);

/// Writes the SCP elements to the sitemap at the target, or to a separate file if that is configured or if
/// the sitemap is an index; the index then lists the file. In the separate mode, elements that an earlier run
/// put into the sitemap are removed, and the sitemap is not changed otherwise. If the sitemap does not exist
/// or was made by publish, this function leaves it to list_pages(), so that it is sent only
/// once.
base::Result<SitemapChange> update_sitemap(Target& target, const PublishConfig& config,
                                           const site::Advertised& advertised);

}  // namespace sheaf::publish

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
