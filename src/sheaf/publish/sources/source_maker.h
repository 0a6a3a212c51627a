#pragma once

#include "sheaf/base/error.h"
#include "sheaf/database/database.h"
#include "sheaf/publish/config/config.h"
#include "sheaf/publish/sources/listed_times.h"
#include "sheaf/publish/sources/live_copies.h"
#include "sheaf/publish/sources/site_listing.h"
#include "sheaf/publish/sources/source.h"

#include <cstddef>
#include <list>
#include <memory>
#include <optional>

namespace sheaf::publish {

/// What the user allows and asks of `site` and `feed` sources.
struct LiveSitePermissions {
  bool private_addresses = false;
  bool downgrade = false;
  bool relearn = false;  ///< learn the site's template again
};

/// Creates the sources of a configuration, and owns their data on disk: the folders `live` and `feeds` in the
/// state folder, which are created when a `site` or `feed` source first needs them. Must outlive the sources.
class SourceMaker {
 public:
  SourceMaker(const PublishConfig& config, LiveSitePermissions leave);

  base::Result<std::unique_ptr<Source>> make(const SectionConfig& section, std::size_t index);

 private:
  base::Result<std::unique_ptr<Source>> make_site(const SectionConfig& section, std::size_t index,
                                                  const base::Url& below);

  base::Result<std::unique_ptr<Source>> make_sql(const SourceConfig& source, const base::Url& below) const;
  base::Result<std::unique_ptr<Source>> make_feed(const SectionConfig& section, std::size_t index);
  const ListedTimes* listed_times();
  [[nodiscard]] http::fetch::FetchOptions fetch_options(RequestOptions requests);

  const PublishConfig& config_;
  LiveSitePermissions leave_;
  std::optional<database::Database> live_;
  std::optional<database::Database> feeds_;  ///< entries of feeds, in the folder `feeds`
  std::optional<ListedTimes> times_;         ///< times in the sitemap, read for the first folder source
  std::list<LiveCopies> copies_;  ///< one for each `site` source; a list, because sources keep pointers to
                                  ///< them
  SiteListings listings_;         ///< robots.txt and sitemaps, shared by the `site` sources
  http::fetch::HostGate gate_;    ///< limits the request rate of all `site` and `feed` sources
};

}  // namespace sheaf::publish
