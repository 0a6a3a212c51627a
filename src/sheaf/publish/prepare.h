#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/format/limits.h"
#include "sheaf/publish/catalog.h"
#include "sheaf/publish/sources/source.h"
#include "sheaf/quality/page_quality.h"
#include "sheaf/site/robots.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>
#include <sheaf/time.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::publish {

/// The reason as a phrase for users.
std::string_view describe(SkipReason reason);

/// Result of preparing an item.
struct PreparedItem {
  std::string name;
  std::string section;
  std::filesystem::path file;  ///< the file with the item's bytes, if it comes from a folder
  SkipReason skip = SkipReason::none;
  std::string detail;  ///< details, if it was skipped: the URL it duplicates, the limit it exceeds
  /// Repairs that were made, one sentence each.
  std::vector<std::string> repairs;
  std::string note;       ///< a remark for the user, one sentence; may be empty
  bool unread = false;    ///< the bytes, and so the result, are unchanged: there is no page here; unless
                          ///< skipped, the catalog has a record of it
  bool remember = false;  ///< whether to store an ItemRecord
  Fingerprint bytes{};
  std::uint64_t size = 0;
  std::uint64_t html_bytes = 0;  ///< size of the HTML; 0 if the item is not a whole HTML page
  std::string url;
  Fingerprint fingerprint{};
  std::optional<Instant> source_time;
  std::shared_ptr<Arena> memory;  ///< holds the page, and perhaps others
  Page page;
  quality::PageQuality quality;  ///< of the page; its texts live as long as the page
};

struct PrepareOptions {
  base::Url base;  ///< the site; pages of other sites are skipped
  const site::RobotsRules* robots = nullptr;
  format::Limits limits;
  Instant now;
  bool read_all = false;  ///< also read unchanged items, because a snapshot is written
  bool measure = false;   ///< whether PreparedItem::quality is wanted
};

/// Turns items into pages. Not thread-safe; only reads the catalog.
class Preparer {
 public:
  Preparer(const PrepareOptions& options, const Catalog& catalog);
  ~Preparer();
  Preparer(Preparer&&) noexcept;

  /// Prepares items of the first of `sections`; their pages also belong to the other sections. Problems with
  /// an item are part of its result; an Error comes from the catalog.
  std::vector<base::Result<PreparedItem>> prepare(const std::vector<std::string>& sections,
                                                  std::vector<SourceItem> items);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf::publish
