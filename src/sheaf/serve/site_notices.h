#pragma once

#include "sheaf/base/error.h"
#include "sheaf/serve/folder.h"
#include "sheaf/site/advertised.h"
#include "sheaf/site/sitemap_finding.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::serve {

inline constexpr std::string_view kSitemapName = "sitemap.xml";

/// A collection element of a sitemap and the file it refers to.
struct Notice {
  site::AdvertisedCollection collection;
  std::string sitemap;  ///< the file in the folder that has it, "sitemap.xml"
  std::string path;     ///< decoded path of its address, "/blog-snapshot.scp.zst"; empty if it has none
};

/// The SCP elements in the sitemaps of a folder.
struct SiteNotices {
  bool has_sitemap = false;
  std::vector<site::AdvertisedSection> sections;
  std::vector<Notice> notices;
  std::vector<std::string> problems;  ///< a sentence each: what a sitemap has wrong

  [[nodiscard]] std::optional<site::UpdateFreq> frequency_of(std::string_view section) const;
};

/// Reads the folder's sitemap.xml and, if it is an index, the sitemaps it lists that are in the folder (up to
/// 1000). Only the path of each URL counts: the folder is the root of the site.
SiteNotices read_notices(const Folder& folder);

/// The decoded path of an http(s) URL; nullopt for anything else.
std::optional<std::string> path_of_url(std::string_view url);

}  // namespace sheaf::serve
