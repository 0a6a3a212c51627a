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

/// The file beside the sitemap that has our elements: if the sitemap is an index, or if it is not to be
/// changed (SitemapMode::separate).
inline constexpr std::string_view kSitemapOfOurs = "sitemap-scp.xml";

/// The URL of a file beside the sitemap.
std::string url_beside_sitemap(const PublishConfig& config, std::string_view name);
/// The sitemap that robots.txt has to name, so that clients find the collections.
std::string advertised_sitemap_url(const PublishConfig& config);

/// A section with the state that clients will see.
struct SectionRelease {
  std::string name;
  site::UpdateFreq update = site::UpdateFreq::daily;
  CatalogSection state;
};

/// The sitemap's statements about the sections. A pure function.
site::Advertised advertise(const PublishConfig& config, const std::vector<SectionRelease>& sections,
                           Instant now);

/// Removes files that are too old from a section's state, and returns their names. If deltas are merged,
/// those stay by which clients that were away for long come to the newest state (choose_chain() in
/// merge_plan.h).
std::vector<std::string> retire(CatalogSection& state, const Retention& retention, Instant now);

/// Whether the sitemap at the target equals `advertised`, except for expiry times that are still far enough
/// away. Then it need not change.
base::Result<bool> is_sitemap_current(Target& target, const PublishConfig& config,
                                      const site::Advertised& advertised, Instant now);

struct SitemapChange {
  bool changed = false;
  std::vector<std::string> notes;
};

/// Writes kSitemapOfOurs. True if it has changed.
base::Result<bool> write_separate_sitemap(Target& target, const site::Advertised& advertised);

/// Writes the SCP elements to the sitemap at the target, or to a separate file: if that is configured, or if
/// the sitemap is an index, which then lists it. If it is configured, our elements are removed from the
/// sitemap, should an earlier run have put them there, and it is not changed otherwise. A sitemap that does
/// not exist or that publish made is left to list_pages() in own_sitemap.h, so that it is sent once.
base::Result<SitemapChange> update_sitemap(Target& target, const PublishConfig& config,
                                           const site::Advertised& advertised);

}  // namespace sheaf::publish
