#pragma once

#include "sheaf/base/error.h"
#include "sheaf/http/message/message.h"
#include <sheaf/time.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

/// A small site in memory that was published with `sheaf publish`: pages, robots.txt, a sitemap, a snapshot
/// from three days ago and three deltas since. Each deployment breaks one thing in it.
struct LabSite {
  std::string base = {};                                   ///< "http://127.0.0.1:4711"
  Instant now = {};                                        ///< when the site was made
  std::map<std::string, LabFile, std::less<>> files = {};  ///< by path
  std::string snapshot = {};  ///< path of the newest snapshot, without its extension
  std::string delta = {};     ///< path of the newest delta, without its extension

  /// The content of a file, which must exist.
  std::string& text(std::string_view path) { return files.find(path)->second.bytes; }
};

/// How the site's history is published.
struct LabHistory {
  bool only_snapshots = false;  ///< snapshots instead of deltas
  std::int64_t days_ago = 0;    ///< days since the last publish
};

/// Publishes the site for `base`. Fails if publishing fails, or a file cannot be read or written.
base::Result<LabSite> publish_lab_site(const std::string& base, Instant now, const LabHistory& history = {});

// Changes to a published site. They keep everything else consistent, so that only one thing is wrong.

/// Replaces the first occurrence of `from`, which must exist.
void replace_text(std::string& text, std::string_view from, std::string_view to);

/// Sets an attribute of the sitemap element whose `url` or `name` contains `element`.
void set_sitemap_attribute(LabSite& site, std::string_view element, std::string_view attribute,
                           std::string_view value);
/// Removes all sitemap elements whose `url` contains `url_part`.
void remove_from_sitemap(LabSite& site, std::string_view url_part);

enum class Recompute : std::uint8_t {
  everything,  ///< checksum, state digest, and what the sitemap states
  statements,  ///< checksum and what the sitemap states; not the state digest
  only_sizes,  ///< only the size and the number of pages in the sitemap
};
/// Edits the uncompressed text of a collection in both codecs. `stem` is LabSite::snapshot or delta.
void edit_collection(LabSite& site, const std::string& stem, const std::function<void(std::string&)>& edit,
                     Recompute correct = Recompute::everything);
/// Like edit_collection, for one codec: `path` ends in ".scp.zst" or ".scp.gz".
void edit_file(LabSite& site, const std::string& path, const std::function<void(std::string&)>& edit,
               Recompute correct = Recompute::everything);
/// Corrects the size of a file in the sitemap.
void update_sitemap_size(LabSite& site, const std::string& path);

/// Adds a snapshot of a new section and lists it in the sitemap. `plain` must have a metadata line with a
/// `checksum`.
void add_collection(LabSite& site, const std::string& path, std::string plain);

/// Returns a line of a collection: a page with this path. `more` are further JSON members, each followed by a
/// comma.
std::string page_line(const LabSite& site, std::string_view path, std::string_view more = {});

struct LabRequest {
  std::string method = "GET";
  std::string path = {};  ///< including the query
  std::vector<std::pair<std::string, std::string>> headers = {};

  /// Returns the value of the first header with this name, ignoring case; empty if there is none.
  [[nodiscard]] std::string_view header(std::string_view name) const;
  void remove_header(std::string_view name);
};

struct LabResponse {
  unsigned status = 404;
  std::vector<http::message::Header> headers = {};
  std::string body = {};
  std::optional<std::uint64_t> stated_length = {};  ///< Content-Length to send, if not the body's size
  bool with_length = true;  ///< false: no Content-Length; the end of the connection ends the body
  std::size_t cut_after = std::string::npos;  ///< bytes of the body after which the connection breaks

  [[nodiscard]] std::string_view header(std::string_view name) const;
  void set_header(std::string_view name, std::string_view value);
  void remove_header(std::string_view name);
};

/// The correct response of a static file server, including conditional requests, ranges and HEAD (RFC 9110).
LabResponse answer_request(const LabSite& site, const LabRequest& request);

/// Returns a response with this text as its body.
LabResponse plain_response(unsigned status, std::string text, std::string_view type = "text/plain");

}  // namespace sheaf::lab
