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

/// The file beside a sitemap index that contains our elements.
inline constexpr std::string_view kSitemapOfOurs = "sitemap-scp.xml";

/// A section with the state that clients will see.
struct SectionRelease {
  std::string name;
  site::UpdateFreq update = site::UpdateFreq::daily;
  CatalogSection state;
};

/// The sitemap's statements about the sections. A pure function.
site::Advertised advertise(const PublishConfig& config, const std::vector<SectionRelease>& sections,
                           Instant now);

/// Removes files that are too old from a section's state, and returns their names.
std::vector<std::string> retire(CatalogSection& state, const Retention& retention, Instant now);

/// Whether the sitemap at the target equals `advertised`, except for expiry times that are still far enough
/// away. Then it need not change.
base::Result<bool> is_sitemap_current(Target& target, const PublishConfig& config,
                                      const site::Advertised& advertised, Instant now);

struct SitemapChange {
  bool changed = false;
  std::vector<std::string> notes;
};

/// Writes the SCP elements to the sitemap at the target, or to a separate file that an index lists.
base::Result<SitemapChange> update_sitemap(Target& target, const PublishConfig& config,
                                           const site::Advertised& advertised);

}  // namespace sheaf::publish
