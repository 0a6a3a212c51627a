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

/// The file beside a sitemap index that holds our elements.
inline constexpr std::string_view kSitemapOfOurs = "sitemap-scp.xml";

/// A section with the state that readers are to see.
struct SectionRelease {
  std::string name;
  site::UpdateFreq update = site::UpdateFreq::daily;
  CatalogSection state;
};

/// What a sitemap says of the sections. A pure function.
site::Advertised advertise(const PublishConfig& config, const std::vector<SectionRelease>& sections,
                           Instant now);

/// Takes the files out of a section's state that are too old, and gives their names.
std::vector<std::string> retire(CatalogSection& state, const Retention& retention, Instant now);

/// Whether the sitemap at the target says the same as `advertised` but for times of expiry, and these are
/// still far enough away: then it can stay as it is.
base::Result<bool> is_sitemap_current(Target& target, const PublishConfig& config,
                                      const site::Advertised& advertised, Instant now);

struct SitemapChange {
  bool changed = false;
  std::vector<std::string> notes;
};

/// Puts the SCP elements into the sitemap at the target, or into a file of its own that an index lists.
base::Result<SitemapChange> update_sitemap(Target& target, const PublishConfig& config,
                                           const site::Advertised& advertised);

}  // namespace sheaf::publish
