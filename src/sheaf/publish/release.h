#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/catalog.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/delivery/target.h"
#include "sheaf/site/advertised.h"
#include <sheaf/time.h>

#include <cstdint>
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
/// or was made by publish, this function leaves it to list_pages() in own_sitemap.h, so that it is sent only
/// once.
base::Result<SitemapChange> update_sitemap(Target& target, const PublishConfig& config,
                                           const site::Advertised& advertised);

}  // namespace sheaf::publish
