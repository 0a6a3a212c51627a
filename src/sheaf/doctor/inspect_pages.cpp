#include "sheaf/crawl/page_extract.h"
#include "sheaf/crawl/page_visit.h"
#include "sheaf/crawl/robots_request.h"
#include "sheaf/doctor/inspect_internal.h"
#include "sheaf/doctor/word_overlap.h"
#include "sheaf/extract/extract.h"
#include "sheaf/site/origin_robots.h"
#include "sheaf/site/page_identity.h"

#include <algorithm>

namespace sheaf::doctor {
namespace {

/// Requests pages of the site and records what became of them.
class PageVisitor {
 public:
  explicit PageVisitor(Inspection& inspection)
      : inspection_(inspection), robots_(inspection.options.fetch.user_agent, [this](const base::Url& url) {
          return crawl::request_robots(inspection_.client.fetcher(), url, 1);
        }) {
    robots_.set(inspection.facts.site, inspection.facts.robots.rules);
  }

  /// `text` is the page's text in a collection; empty if no collection has the page.
  PageFacts visit(const std::string& url, const std::string& text) {
    const SiteFacts& facts = inspection_.facts;
    if (inspection_.options.progress) inspection_.options.progress(url, inspection_.client.requests());
    const crawl::VisitOptions options{.site = facts.site,
                                      .robots = robots_,
                                      .allow_http = facts.allow_http,
                                      .clock = inspection_.options.clock};
    crawl::CrawledPage page{.visit = crawl::visit_page(inspection_.client.fetcher(), {.url = url}, options)};
    const std::uint64_t bytes = inspection_.client.fetcher().use().bytes;
    inspection_.client.count_use();
    PageFacts found{.url = url, .in_collection = !text.empty(), .status = page.visit.status, .bytes = bytes};
    if (!text.empty() && page.is_raw()) found.shared = share_of_words(text, page.visit.body);
    if (page.is_raw())
      crawl::extract_page(extractor_, nullptr, facts.site, robots_, facts.now, extract::LinkBlocks::none,
                          page);
    found.fate = page.visit.fate;
    found.final_url = page.canonical.empty() ? page.visit.final_url : page.canonical;
    return found;
  }

 private:
  Inspection& inspection_;
  site::OriginRobots robots_;
  extract::Extractor extractor_;
};

}  // namespace

void inspect_pages(Inspection& inspection) {
  SiteFacts& facts = inspection.facts;
  PageVisitor visitor(inspection);
  std::map<std::uint64_t, SampledPage> sample;
  for (const SectionCopy& copy : inspection.copies)
    for (const auto& [rank, page] : copy.sample()) sample.emplace(rank, page);
  for (const auto& [rank, page] : sample) {
    const auto url = base::Url::parse(page.url);
    if (facts.pages.size() >= inspection.options.pages || inspection.client.is_exhausted()) break;
    const bool is_own = url && site::is_same_site(*url, facts.site);
    if (is_own && inspection.client.allows(*url)) facts.pages.push_back(visitor.visit(page.url, page.text));
  }
  // Pages that the collections lack can be found only if all collections were read.
  const bool complete =
      !facts.sections.empty() && std::ranges::all_of(facts.sections, &SectionFacts::complete);
  if (!complete) return;
  for (const std::string& url : facts.sitemaps.sample) {
    const bool known =
        std::ranges::any_of(inspection.copies, [&](const SectionCopy& copy) { return copy.contains(url); });
    if (!known && !inspection.client.is_exhausted()) facts.pages.push_back(visitor.visit(url, {}));
  }
}

}  // namespace sheaf::doctor
