#include "sheaf/pull/page_fetch.h"

#include "sheaf/http/content_coding.h"
#include "sheaf/http/http_date.h"
#include "sheaf/http/message.h"
#include "sheaf/site/page_identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::pull {
namespace {

/// Without a type, what begins like markup is taken for a page.
bool is_html(std::string_view content_type, std::string_view body) {
  if (!content_type.empty()) return http::is_html_type(content_type);
  const std::size_t start = body.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && body[start] == '<';
}

/// Where the page is, after redirects; the fate says where it may not be.
void judge_address(const http::FetchHead& head, const PageFetchOptions& options, PageVisit& visit) {
  const auto url = base::Url::parse(head.url);
  if (!url || !site::is_same_site(*url, options.site)) {
    visit.fate = PageFate::elsewhere;
  } else if (!options.rules.judge(*url).allowed) {
    visit.fate = PageFate::disallowed;
  } else {
    visit.address = url->without_fragment().href();
    visit.fate = PageFate::stored;
  }
}

void take_page(http::Fetcher::Text& answer, const PageFetchOptions& options, PageVisit& visit) {
  judge_address(answer.head, options, visit);
  if (visit.fate != PageFate::stored) return;
  visit.note.validators = http::Validators(answer.head);
  if (const auto served = http::parse_http_date(visit.note.validators.last_modified(), base::now().seconds))
    visit.served = base::Instant{*served, 0};
  visit.content_type = answer.head.header("content-type");
  visit.robots_header = answer.head.joined("x-robots-tag");
  auto body = http::decode_content(std::move(answer.body), answer.head.header("content-encoding"),
                                   options.page_bytes);
  if (!body) {
    visit.fate = PageFate::failed;
    visit.failure = fmt::format("{}: {}", visit.note.url, body.error().message);
  } else if (!is_html(visit.content_type, *body)) {
    visit.fate = PageFate::no_page;
  } else {
    visit.body = std::move(*body);
  }
}

}  // namespace

PageVisit fetch_page(http::Fetcher& fetcher, PageTask task, const PageFetchOptions& options) {
  PageVisit visit;
  visit.note = std::move(task.note);
  const auto url = base::Url::parse(visit.note.url);
  if (url && !options.rules.judge(*url).allowed) {
    visit.fate = PageFate::disallowed;
    return visit;
  }
  http::FetchRequest request{.url = visit.note.url, .limit = options.page_bytes};
  request.headers.emplace_back("Accept", "text/html, application/xhtml+xml;q=0.9, */*;q=0.1");
  request.headers.emplace_back("Accept-Encoding", http::kAcceptedEncodings);
  if (task.visit == Visit::conditional) visit.note.validators.add_conditions(request.headers);
  auto answer = fetcher.fetch_text(request);
  if (!answer) {
    visit.failure = answer.error().message;
    visit.unwell =
        answer.error().code == base::Errc::io || fetcher.trouble() == http::FetchTrouble::unresolvable_host;
    return visit;
  }
  const int status = answer->head.status;
  if (status == 304 && task.visit == Visit::conditional) {
    visit.not_modified = true;
    visit.fate = visit.note.fate;
  } else if (status == 404 || status == 410) {
    visit.fate = PageFate::missing;
  } else if (status == 200) {
    take_page(*answer, options, visit);
  } else {
    visit.failure = fmt::format("{} answered {}", visit.note.url, status);
    visit.unwell = http::is_temporary(status);
  }
  return visit;
}

void extract_page(html::Extractor& extractor, const html::SiteProfile* profile,
                  const PageFetchOptions& options, base::Instant now, PageVisit& visit) {
  html::ExtractOptions how;
  how.url = visit.address;
  how.content_type = visit.content_type;
  how.robots_header = visit.robots_header;
  how.fallback_modified = visit.served ? visit.served : visit.note.lastmod;
  how.now = now;
  how.site = profile;
  const html::Extraction& extraction = extractor.extract(visit.body, how);
  const model::Page& page = extraction.page;
  visit.links = extractor.links();
  const auto url = base::Url::parse(visit.address);
  if (site::asks_not_to_be_indexed(page)) {
    visit.fate = PageFate::noindex;
  } else if (const auto canonical = page.canonical ? base::Url::parse(*page.canonical) : std::nullopt;
             canonical && url && site::judge_canonical(*url, *canonical) != site::Canonical::same) {
    const bool here = site::judge_canonical(*url, *canonical) == site::Canonical::other;
    visit.fate = here ? PageFate::duplicate : PageFate::elsewhere;
    if (here) visit.links.emplace_back(canonical->without_fragment().href());
  } else if (page.content.empty() || !base::is_http_url(visit.address)) {
    visit.fate = PageFate::no_page;
  } else {
    visit.memory = std::make_unique<base::Arena>();
    visit.page = model::copy(page, *visit.memory);
    visit.page.url = visit.memory->copy(visit.address);
  }
  std::erase_if(visit.links, [&](const std::string& link) {
    const auto target = base::Url::parse(link);
    return !target || !site::is_same_site(*target, options.site) || !options.rules.judge(*target).allowed;
  });
  visit.body.clear();
  visit.body.shrink_to_fit();
}

}  // namespace sheaf::pull
