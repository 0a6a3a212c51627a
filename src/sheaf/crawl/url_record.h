#pragma once

#include "sheaf/crawl/crawl_rules.h"
#include "sheaf/crawl/page_visit.h"
#include "sheaf/http/fetch/validators.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>

// What a crawl remembers of each URL, and the two decisions made from it: what to request, and what becomes
// of the copy of the page. Both are pure functions. docs/pulling.md, "How pages are fetched", explains them.
namespace sheaf::crawl {

/// How a URL was answered last time. Which fields are stored is up to the PageCopies.
struct UrlRecord {
  std::string url = {};
  PageFate fate = PageFate::unknown;
  std::string detail = {};     ///< what the URL has instead of a page
  std::string final_url = {};  ///< after redirects; empty if not known
  http::fetch::Validators validators = {};
  std::string content_type = {};
  std::string robots_header = {};
  Instant fetched = {};                      ///< or found unchanged
  std::optional<Instant> lastmod = {};       ///< in the sitemap now
  std::optional<Instant> lastmod_then = {};  ///< in the sitemap when it was fetched

  friend bool operator==(const UrlRecord&, const UrlRecord&) = default;
};

/// The LastVisit that choose_visit() needs.
LastVisit last_visit(const UrlRecord& record);

/// The request for a URL. Its conditions are those of the copy, where `visit` asks for them.
PageRequest make_request(const UrlRecord& record, Visit visit);

enum class CopyAction : std::uint8_t {
  keep,     ///< the copy, if there is one
  replace,  ///< by the page that was fetched
  remove,   ///< the page is gone
};

/// What a visit changes.
struct PageUpdate {
  UrlRecord record;
  CopyAction copy = CopyAction::keep;
  bool failed = false;     ///< the page could not be fetched: the copy may be out of date
  bool unchanged = false;  ///< set by PageCopies::apply: fetched, and the same page as before
};

/// What becomes of the record and the copy of a URL after a visit that was not cancelled. `visit.fate` is the
/// page's own where it was extracted.
///
/// - A failure changes nothing but a URL that was unknown.
/// - 304 keeps the copy, unless its X-Robots-Tag says noindex now.
/// - A page replaces the copy; any other answer removes it.
/// - Validators are those of this answer. Those of an older one could be confirmed by a 304 although the copy
///   is gone.
PageUpdate decide_update(UrlRecord before, const PageVisit& visit, Instant now);

}  // namespace sheaf::crawl
