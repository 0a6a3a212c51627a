#include "sheaf/crawl/page_extract.h"

#include "sheaf/model/robots_directives.h"
#include "sheaf/site/site_text.h"

#include <algorithm>

namespace sheaf::crawl {
namespace {

/// The fate of a page by its own metadata: robots, canonical URL, content. `address` is its URL.
PageOutcome judge_page(const Page& page, std::string_view address, std::string& canonical_url) {
  if (model::is_noindex(page)) return PageOutcome::noindex;
  const auto url = base::Url::parse(address);
  const auto canonical = page.canonical ? base::Url::parse(*page.canonical) : std::nullopt;
  if (canonical && url) {
    const site::Canonical verdict = site::judge_canonical(*url, *canonical);
    if (verdict == site::Canonical::elsewhere) return PageOutcome::elsewhere;
    if (verdict == site::Canonical::other) {
      canonical_url = canonical->without_fragment().href();
      return PageOutcome::duplicate;
    }
  }
  return page.content.empty() || !base::is_http_url(address) ? PageOutcome::no_page : PageOutcome::stored;
}

}  // namespace

void extract_page(extract::Extractor& extractor, const SiteTemplate* site_template, const base::Url& site,
                  const site::OriginRobots& robots, Instant now, extract::LinkBlocks links,
                  CrawledPage& crawled) {
  PageVisit& visit = crawled.visit;
  extract::ExtractOptions how;
  how.url = visit.final_url;
  how.content_type = visit.content_type;
  how.robots_header = visit.robots_header;
  how.fallback_modified = visit.last_modified ? visit.last_modified : visit.request.lastmod;
  how.now = now;
  how.present = now;
  how.links = links;
  how.inline_structure = extract::InlineStructure::keep;
  how.site = site_template != nullptr ? &site_template->profile() : nullptr;
  const extract::Extraction& extraction = extractor.extract(visit.body, how);
  const Page& page = extraction.page;
  crawled.shown_chars = extraction.shown_chars;
  crawled.has_own_title = extraction.has_own_title;
  crawled.links = extractor.links();
  std::erase_if(crawled.links, [&](const std::string& link) {
    const auto target = base::Url::parse(link);
    return !target || !site::is_same_site(*target, site) ||
           robots.judge_if_known(*target) == site::RobotsPermission::disallowed;
  });
  visit.fate = extraction.verdict.is_public() ? judge_page(page, visit.final_url, crawled.canonical)
                                              : PageOutcome::noindex;
  if (visit.fate == PageOutcome::stored) {
    crawled.memory = std::make_unique<Arena>();
    crawled.page = sheaf::copy(page, *crawled.memory);
    crawled.page.url = crawled.memory->copy(visit.final_url);
  }
  visit.body.clear();
  visit.body.shrink_to_fit();
}

}  // namespace sheaf::crawl
