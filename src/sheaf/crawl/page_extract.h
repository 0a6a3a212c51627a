#pragma once

#include "sheaf/crawl/page_visit.h"
#include "sheaf/crawl/site_template.h"
#include "sheaf/extract/extract.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sheaf::crawl {

/// A visit, and the page that was extracted from its body.
struct CrawledPage {
  PageVisit visit;                     ///< its body is cleared after extraction
  std::unique_ptr<Arena> memory = {};  ///< holds the page; null if there is none
  Page page = {};
  std::vector<std::string> links =
      {};                      ///< to pages of the site, without those known to be disallowed by robots.txt
  std::string canonical = {};  ///< if the page is a duplicate: its canonical URL

  std::uint64_t shown_chars = 0;  ///< characters of all text in the HTML page, content or not
  bool has_own_title = true;      ///< false: the page has no title, so another text is used

  /// Whether there is a body, which may be empty, that has not been extracted yet.
  [[nodiscard]] bool is_raw() const {
    return visit.fate == PageOutcome::stored && !visit.not_modified && memory == nullptr;
  }
};

/// Extracts the page of a raw visit and decides its fate: a page to be stored, noindex, a duplicate, a page
/// of another site, or not a page at all.
void extract_page(extract::Extractor& extractor, const SiteTemplate* site_template, const base::Url& site,
                  const site::OriginRobots& robots, Instant now, extract::LinkBlocks links,
                  CrawledPage& page);

}  // namespace sheaf::crawl
