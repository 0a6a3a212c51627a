#pragma once

#include "sheaf/base/error.h"
#include "sheaf/http/message/message.h"
#include <sheaf/time.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::lab {

/// A file of a site, as it is served.
struct LabFile {
  std::string bytes = {};
  std::string content_type = {};
  std::string cache_control = {};
  std::string entity_tag = {};  ///< with its quotes
  std::int64_t last_modified = 0;
};

/// A small site that was published with `sheaf publish`, in memory: pages, robots.txt, a sitemap, a snapshot
/// of three days ago and three deltas since. Deployments break one thing of it.
struct LabSite {
  std::string base = {};                                   ///< "http://127.0.0.1:4711"
  Instant now = {};                                        ///< of the last publish
  std::map<std::string, LabFile, std::less<>> files = {};  ///< by path
  std::string snapshot = {};                               ///< path of the newest, without its extension
  std::string delta = {};                                  ///< ... of the newest delta

  /// The text of a file that exists.
  std::string& text(std::string_view path) { return files.find(path)->second.bytes; }
};

/// How a site is published.
struct LabHistory {
  bool only_snapshots = false;  ///< snapshots instead of deltas
  std::int64_t days_ago = 0;    ///< since the last publish
};

/// Publishes the site for `base`. Errors are those of publish and the disk.
base::Result<LabSite> publish_lab_site(const std::string& base, Instant now, const LabHistory& history = {});

// Changes to a published site. They keep everything else consistent, so that one thing is wrong.

/// Replaces the first occurrence of a text that must be there.
void replace_text(std::string& text, std::string_view from, std::string_view to);

/// Sets an attribute of the sitemap element whose `url` or `name` contains `element`.
void restate(LabSite& site, std::string_view element, std::string_view attribute, std::string_view value);
/// Removes all sitemap elements whose `url` contains this.
void unlist(LabSite& site, std::string_view url_part);

enum class Correct : std::uint8_t {
  everything,  ///< checksum, state of the pages, and what the sitemap states
  statements,  ///< the same but the state
  only_sizes,  ///< neither the checksum nor the state
};
/// Changes the uncompressed text of a collection in both codecs. `stem` is LabSite::snapshot or delta.
void edit_collection(LabSite& site, const std::string& stem, const std::function<void(std::string&)>& edit,
                     Correct correct = Correct::everything);
/// The same for one codec: ".scp.zst" or ".scp.gz".
void edit_file(LabSite& site, const std::string& path, const std::function<void(std::string&)>& edit,
               Correct correct = Correct::everything);
/// Makes the sitemap state the size of a file.
void restate_size(LabSite& site, const std::string& path);

/// Adds a snapshot in a section of its own, and lists it. `plain` has a metadata line with a `checksum`.
void add_collection(LabSite& site, const std::string& path, std::string plain);

/// A line of a collection: a page with this path.
std::string page_line(const LabSite& site, std::string_view path, std::string_view more = {});

}  // namespace sheaf::lab
