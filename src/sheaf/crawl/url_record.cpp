#include "sheaf/crawl/url_record.h"

#include "sheaf/extract/metadata/metadata_address.h"
#include <sheaf/arena.h>

#include <algorithm>
#include <utility>

namespace sheaf::crawl {
namespace {

bool says_noindex(std::string_view robots_header) {
  Arena arena;
  const std::string_view texts[] = {robots_header};
  const auto words = extract::robots_directives(texts, arena);
  return words && std::ranges::find(*words, "noindex") != words->end();
}

/// Applies a 304. Only its headers are new; what it does not repeat is kept.
void confirm(PageUpdate& update, const PageVisit& visit) {
  UrlRecord& record = update.record;
  const bool is_news = says_noindex(visit.robots_header) && !says_noindex(record.robots_header);
  if (!visit.robots_header.empty()) record.robots_header = visit.robots_header;
  if (record.fate != PageOutcome::stored || !is_news) return;
  record.fate = PageOutcome::noindex;
  record.validators = {};  // the copy is removed, so the page must be fetched again when the header is gone
  update.copy = CopyAction::remove;
}

}  // namespace

LastVisit last_visit(const UrlRecord& record) {
  return {.fate = record.fate,
          .has_validators = !record.validators.empty(),
          .lastmod = record.lastmod,
          .lastmod_then = record.lastmod_then,
          .fetched = record.fetched};
}

PageRequest make_request(const UrlRecord& record, Visit visit) {
  PageRequest request{.url = record.url, .lastmod = record.lastmod, .is_fresh = visit == Visit::leave};
  if (visit == Visit::fetch) return request;
  request.validators = record.validators;
  request.known_url = record.final_url;
  return request;
}

PageUpdate decide_update(UrlRecord before, const PageVisit& visit, Instant now) {
  PageUpdate update{.record = std::move(before)};
  UrlRecord& record = update.record;
  if (visit.fate == PageOutcome::failed) {
    update.failed = true;
    if (record.fate == PageOutcome::unknown) record.fate = PageOutcome::failed;
    return update;
  }
  if (visit.not_modified && visit.request.is_fresh) return update;  // nothing was requested
  record.fetched = now;
  record.lastmod_then = record.lastmod;
  if (visit.not_modified) {
    confirm(update, visit);
    return update;
  }
  update.copy = visit.fate == PageOutcome::stored    ? CopyAction::replace
                : record.fate == PageOutcome::stored ? CopyAction::remove
                                                     : CopyAction::keep;
  record.fate = visit.fate;
  record.detail = visit.detail;
  record.final_url = visit.final_url;
  record.validators = visit.validators;
  record.content_type = visit.content_type;
  record.robots_header = visit.robots_header;
  return update;
}

}  // namespace sheaf::crawl
