#pragma once

#include "sheaf/base/error.h"
#include "sheaf/crawl/page_extract.h"
#include "sheaf/crawl/site_template.h"
#include "sheaf/crawl/url_record.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::crawl {

/// What a crawl keeps of a site between runs: a record of each URL, a copy of each page, and the site's
/// template. `pull` keeps extracted pages in its store, `publish` keeps HTML in its state folder, tests use a
/// map. Calls must not run concurrently, unless the implementation says otherwise. Errors come from the disk.
class PageCopies {
 public:
  virtual ~PageCopies() = default;

  /// The record of a URL; its fate is `unknown` if there is none.
  virtual base::Result<UrlRecord> find(const std::string& url) = 0;

  /// Stores the record and replaces, keeps or removes the copy as `update` says. `page` is the visited page,
  /// already extracted if the caller extracts pages. May change the update: a page that cannot be stored does
  /// not count as a page.
  virtual base::Result<void> apply(PageUpdate& update, CrawledPage& page) = 0;

  /// The bytes of the template (SiteTemplate::bytes); empty if there is none.
  virtual base::Result<std::string> read_template() = 0;
  virtual base::Result<void> write_template(std::string_view bytes) = 0;
};

/// A visited page and what it changed.
struct SettledPage {
  CrawledPage page;
  std::optional<PageUpdate> update = {};  ///< empty: nothing was changed (yet)
};

/// Decides the fate of a visited page and applies it. Called by the worker that fetched the page: results
/// wait for their turn in the order of the list, and if the process were killed, a waiting page would be lost
/// and requested again.
base::Result<PageUpdate> settle_visit(PageCopies& copies, CrawledPage& page, Instant now);

/// The template that an earlier crawl learned; null if there is none.
base::Result<std::shared_ptr<const SiteTemplate>> load_template(PageCopies& copies);

}  // namespace sheaf::crawl
