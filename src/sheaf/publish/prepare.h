#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/format/limits.h"
#include "sheaf/publish/catalog.h"
#include "sheaf/publish/sources/source.h"
#include "sheaf/site/robots.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>
#include <sheaf/time.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::publish {

/// How a reason is called in reports: "noindex", "draft", ...
std::string_view to_string(SkipReason reason);
/// What it means, for people: "canonical URL is on another site".
std::string_view describe(SkipReason reason);

/// What an item became.
struct PreparedItem {
  std::string name;
  std::string section;
  SkipReason skip = SkipReason::none;
  std::string detail;  ///< of what was left out: the address it duplicates, the limit it passes
  /// What was changed so that readers take the page whole, a sentence each.
  std::vector<std::string> repairs;
  bool unread = false;  ///< its bytes are those of last time, and so is the outcome: no page here, and a page
                        ///< record in the catalog where it is not left out
  bool remember = false;  ///< whether an ItemRecord of it is worth keeping
  Fingerprint bytes{};
  std::uint64_t size = 0;
  std::string url;
  Fingerprint fingerprint{};
  std::optional<Instant> source_time;
  std::shared_ptr<Arena> memory;  ///< holds the page, and perhaps others
  Page page;
};

struct PrepareOptions {
  base::Url base;  ///< the site; pages elsewhere have no place in its collections
  const site::RobotsRules* robots = nullptr;
  format::Limits limits;
  Instant now;
  bool read_all = false;  ///< also what has not changed, since a snapshot is to be written
};

/// Reads items and makes pages of them. One thread at a time; the catalog is only read.
class Preparer {
 public:
  Preparer(const PrepareOptions& options, const Catalog& catalog);
  ~Preparer();
  Preparer(Preparer&&) noexcept;

  /// For the first of `sections`, which the items belong to, and further ones that take their pages too.
  /// Trouble with an item is part of what it became; an error is the catalog's.
  std::vector<base::Result<PreparedItem>> prepare(const std::vector<std::string>& sections,
                                                  std::vector<SourceItem> items);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sheaf::publish
