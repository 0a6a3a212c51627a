#pragma once

#include "sheaf/crawl/crawl_rules.h"
#include "sheaf/crawl/page_visit.h"
#include "sheaf/http/fetch/fetch_body.h"
#include <sheaf/time.h>

#include <cstdint>
#include <optional>
#include <string>

// What a crawl remembers of each URL, and the two decisions made from it: what to request, and what happens
// to the copy of the page. Both are pure functions. See docs/pulling.md, "How pages are fetched".
namespace sheaf::crawl {

/// The response to the last request for a URL. The implementation of PageCopies chooses which fields it
/// stores.
struct UrlRecord {
  std::string url = {};
  PageOutcome fate = PageOutcome::unknown;
  std::string detail = {};     ///< what was found instead of a page
  std::string final_url = {};  ///< after redirects; empty if not known
  http::fetch::Validators validators = {};
  std::string content_type = {};
  std::string robots_header = {};
  Instant fetched = {};                      ///< last time it was fetched or found unchanged
  std::optional<Instant> lastmod = {};       ///< in the sitemap now
  std::optional<Instant> lastmod_then = {};  ///< in the sitemap when it was fetched

  friend bool operator==(const UrlRecord&, const UrlRecord&) = default;
};

/// The LastVisit that choose_visit() needs.
LastVisit last_visit(const UrlRecord& record);

/// The request for a URL. Has the validators of the copy, unless `visit` is `fetch`.
PageRequest make_request(const UrlRecord& record, Visit visit);

enum class CopyAction : std::uint8_t {
  keep,     ///< keep the copy, if there is one
  replace,  ///< replace it by the fetched page
  remove,   ///< remove it: the page is gone
};

/// What a visit changes.
struct PageUpdate {
  UrlRecord record;
  CopyAction copy = CopyAction::keep;
  bool failed = false;     ///< the page could not be fetched: the copy may be out of date
  bool unchanged = false;  ///< set by PageCopies::apply: the page was fetched and is the same as before
};

/// What happens to the record and the copy of a URL after a visit that was not cancelled. If the page was
/// extracted, `visit.fate` must be the fate of the extracted page.
///
/// - A failure changes nothing, except that a URL with the fate `unknown` gets `failed`.
/// - A 304 keeps the copy, unless its X-Robots-Tag now says noindex.
/// - A page replaces the copy; any other response removes it.
/// - The validators are those of this response. If older ones were kept, a 304 could confirm a copy that is
///   gone.
PageUpdate decide_update(UrlRecord before, const PageVisit& visit, Instant now);

}  // namespace sheaf::crawl
