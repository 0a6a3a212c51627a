#include "sheaf/crawl/page_copies.h"

namespace sheaf::crawl {

base::Result<PageUpdate> settle_visit(PageCopies& copies, CrawledPage& page, Instant now) {
  SHEAF_TRY_ASSIGN(UrlRecord before, copies.find(page.visit.request.url));
  PageUpdate update = decide_update(std::move(before), page.visit, now);
  SHEAF_TRY(copies.apply(update, page));
  return update;
}

base::Result<std::shared_ptr<const SiteTemplate>> load_template(PageCopies& copies) {
  SHEAF_TRY_ASSIGN(const std::string bytes, copies.read_template());
  return bytes.empty() ? nullptr : SiteTemplate::load(bytes);
}

}  // namespace sheaf::crawl
