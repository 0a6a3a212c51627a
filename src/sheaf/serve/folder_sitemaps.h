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

/// A collection element of a sitemap, and the file it refers to.
struct ListedCollection {
  site::AdvertisedCollection collection;
  std::string sitemap;  ///< the sitemap's file in the folder, "sitemap.xml"
  std::string path;     ///< decoded path of its URL, "/blog-snapshot.scp.zst"; empty if the URL is invalid
};

/// A file that notices were read from, and its version at that time; nullopt if it did not exist.
struct NoticeFile {
  std::string path;
  std::optional<FileVersion> version;
};

/// The SCP elements in the sitemaps of a folder.
struct FolderSitemaps {
  bool has_sitemap = false;
  std::vector<site::AdvertisedSection> sections;
  std::vector<ListedCollection> notices;
  std::vector<std::string> problems;  ///< faults of the sitemaps, one sentence each
  std::vector<NoticeFile> files;      ///< robots.txt and the sitemaps, at most the first hundred

  [[nodiscard]] std::optional<site::UpdateFreq> frequency_of(std::string_view section) const;
};

/// Reads the sitemaps in the folder that a client would find: sitemap.xml, those that robots.txt names, and
/// those that an index lists (up to 1000 each). Only the path of each URL is used, because the folder is the
/// root of the site.
FolderSitemaps read_notices(const Folder& folder);

/// Whether a file that the notices were read from has changed.
bool is_outdated(const FolderSitemaps& notices, const Folder& folder);

/// The decoded path of an http(s) URL; nullopt for anything else.
std::optional<std::string> path_of_url(std::string_view url);

}  // namespace sheaf::serve
