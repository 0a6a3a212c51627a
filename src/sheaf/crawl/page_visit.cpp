#include "sheaf/crawl/page_visit.h"

#include "sheaf/http/fetch/address_rules.h"
#include "sheaf/http/fetch/fetch_body.h"
#include "sheaf/http/fetch/fetcher.h"
#include "sheaf/http/message/message.h"
#include "sheaf/http/message/message_body.h"
#include "sheaf/site/site_text.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::crawl {

base::Result<site::RobotsReply> request_robots(http::fetch::Fetcher& fetcher, const base::Url& url,
                                               unsigned most_tries) {
  SHEAF_TRY_ASSIGN(
      auto text, http::fetch::fetch_robots_file(fetcher, url.href(), site::kRobotsBytes + 1, {}, most_tries));
  return to_robots_reply(std::move(text));
}

site::RobotsReply to_robots_reply(http::fetch::Fetcher::Text text) {
  return {text.head.status, std::string(text.head.header("location")), std::move(text.body)};
}

namespace {

/// Accepts only HTML pages: the transfer of any other document is stopped after the headers.
class PageSink final : public http::fetch::FetchSink {
 public:
  base::Result<void> begin(const http::fetch::FetchHead& given) override {
    head = given;
    body.clear();
    const std::string_view type = head.header("content-type");
    is_page = judge_status(head.status, false) == StatusMeaning::page;
    other_type = is_page && !type.empty() && !http::message::is_html_type(type);
    if (other_type)
      return base::fail(base::Errc::refused, "not a page");  // ends the transfer; visit_page ignores it
    return {};
  }
  base::Result<void> take(std::string_view bytes) override {
    if (is_page) body += bytes;
    return {};
  }

  http::fetch::FetchHead head;
  std::string body;
  bool is_page = false;
  bool other_type = false;
};

/// Anyone on the network path can forge a plain http response, so pages of an https site are requested over
/// https even if a sitemap or a link says http. Returns nullopt if `text` is not a URL.
std::optional<base::Url> choose_url(std::string_view text, const VisitOptions& options) {
  auto url = base::Url::parse(text);
  if (!url || options.allow_http || options.site.scheme() != "https") return url;
  if (url->scheme() != "http" || url->port()) return url;
  return base::Url::parse("https" + std::string(url->href().substr(4)));
}

/// Makes one request, follows its redirects and interprets the response.
class PageTransfer {
 public:
  PageTransfer(http::fetch::Fetcher& fetcher, const VisitOptions& options, PageVisit& visit)
      : fetcher_(fetcher), options_(options), visit_(visit) {}

  void run(const base::Url& url, bool conditional) {
    http::fetch::FetchRequest request{.url = std::string(url.href()), .limit = options_.page_bytes};
    request.headers = {{"Accept", "text/html, application/xhtml+xml;q=0.9, */*;q=0.1"},
                       {"Accept-Encoding", std::string(http::message::kAcceptedEncodings)}};
    if (conditional) visit_.request.validators.add_conditions(request.headers);
    bool kept_off = false;  // by a redirect that must not be followed
    request.may_follow = [&](std::string_view target) {
      const auto next = base::Url::parse(target);
      kept_off = !next || !is_allowed(*next);
      if (kept_off && !next) visit_.fate = PageOutcome::elsewhere;
      if (kept_off && visit_.fate != PageOutcome::failed)
        visit_.detail = fmt::format("redirects to {}", target);
      return !kept_off;
    };
    PageSink sink;
    const auto head = fetcher_.fetch(request, sink);
    visit_.cancelled = (!head || kept_off) && options_.cancelled && options_.cancelled();
    if (!head && !sink.other_type) return fail_transfer(head.error());
    const http::fetch::FetchHead& answer = head ? *head : sink.head;
    visit_.status = answer.status;
    visit_.final_url = answer.url;
    if (!kept_off) take(answer, sink, conditional);
  }

  /// Whether a URL may be requested. If not, the fate says why.
  bool is_allowed(const base::Url& url) {
    if (!site::is_same_site(url, options_.site)) {
      visit_.fate = PageOutcome::elsewhere;
      return false;
    }
    switch (options_.robots.judge(url)) {
      case site::RobotsPermission::allowed: return true;
      case site::RobotsPermission::disallowed: visit_.fate = PageOutcome::disallowed; return false;
      case site::RobotsPermission::unknown: break;
    }
    fail(FailureCause::robots_unreadable, fmt::format("robots.txt of {} cannot be read", url.origin()));
    return false;
  }

 private:
  void fail(FailureCause cause, std::string detail) {
    visit_.fate = PageOutcome::failed;
    visit_.cause = cause;
    visit_.detail = std::move(detail);
  }

  void fail_transfer(const base::Error& error) {
    fail(FailureCause::transfer, error.message);
    visit_.trouble = fetcher_.trouble();
    visit_.unhealthy =
        error.code == base::Errc::io || visit_.trouble == http::fetch::FetchTrouble::unresolvable_host;
  }

  void take(const http::fetch::FetchHead& head, PageSink& sink, bool conditional) {
    switch (judge_status(head.status, conditional)) {
      case StatusMeaning::page: return take_page(head, sink);
      case StatusMeaning::not_modified:
        visit_.not_modified = true;
        visit_.fate = PageOutcome::stored;
        visit_.robots_header = head.joined("x-robots-tag");
        return;
      case StatusMeaning::missing:
        visit_.fate = PageOutcome::missing;
        visit_.detail = std::to_string(head.status);
        return;
      case StatusMeaning::failure: break;
    }
    fail(FailureCause::status, fmt::format("{} answered {}", visit_.request.url, head.status));
    visit_.unhealthy = http::fetch::is_temporary(head.status);
  }

  void take_page(const http::fetch::FetchHead& head, PageSink& sink) {
    visit_.validators = http::fetch::Validators(head);
    visit_.content_type = head.header("content-type");
    visit_.robots_header = head.joined("x-robots-tag");
    if (const auto served =
            http::message::parse_http_date(visit_.validators.last_modified(), options_.clock().seconds))
      visit_.last_modified = Instant{*served, 0};
    if (const auto url = base::Url::parse(head.url))
      visit_.final_url = http::fetch::without_credentials(url->without_fragment()).href();
    auto body = http::message::decode_content(std::move(sink.body), head.header("content-encoding"),
                                              options_.page_bytes);
    if (!sink.other_type && !body) return fail(FailureCause::unreadable_body, body.error().message);
    if (sink.other_type || !is_html_response(visit_.content_type, *body)) {
      visit_.fate = PageOutcome::no_page;
      visit_.detail = visit_.content_type;
      return;
    }
    visit_.fate = PageOutcome::stored;
    visit_.body = std::move(*body);
  }

  http::fetch::Fetcher& fetcher_;
  const VisitOptions& options_;
  PageVisit& visit_;
};

}  // namespace

PageVisit visit_page(http::fetch::Fetcher& fetcher, PageRequest request, const VisitOptions& options) {
  PageVisit visit;
  visit.request = std::move(request);
  PageTransfer transfer(fetcher, options, visit);
  const auto url = choose_url(visit.request.url, options);
  if (!url) visit.fate = PageOutcome::elsewhere;
  if (!url || !transfer.is_allowed(*url)) return visit;
  if (visit.request.is_fresh) {
    visit.not_modified = true;
    visit.fate = PageOutcome::stored;
    return visit;
  }
  const bool conditional = !visit.request.validators.empty();
  transfer.run(*url, conditional);
  const bool moved = !visit.request.known_url.empty() && visit.final_url != visit.request.known_url;
  if (visit.not_modified && moved) {
    PageRequest again = std::move(visit.request);
    visit = {};
    visit.request = std::move(again);
    transfer.run(*url, false);
  }
  return visit;
}

std::string describe_failure(const PageVisit& visit) {
  if (visit.detail.starts_with(visit.request.url)) return visit.detail;  // already begins with the URL
  return fmt::format("{}: {}", visit.request.url, visit.detail);
}

}  // namespace sheaf::crawl
