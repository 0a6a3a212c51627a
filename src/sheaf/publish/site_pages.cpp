#include "sheaf/publish/site_pages.h"

#include "sheaf/http/content_coding.h"
#include "sheaf/http/http_date.h"
#include "sheaf/http/message.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::publish {
namespace {

bool is_success(int status) { return status >= 200 && status < 300; }

/// Takes pages and nothing else: other documents are ended at their head.
class PageSink final : public http::FetchSink {
 public:
  base::Result<void> begin(const http::FetchHead& given) override {
    head = given;
    body.clear();
    const std::string_view type = head.header("content-type");
    // No type at all is taken for HTML, as browsers do.
    other_type = is_success(head.status) && !type.empty() && !http::is_html_type(type);
    if (other_type) return base::fail(base::Errc::refused, "no page");  // ends the transfer; nobody sees it
    return {};
  }
  base::Result<void> take(std::string_view bytes) override {
    if (is_success(head.status)) body += bytes;
    return {};
  }

  http::FetchHead head;
  std::string body;
  bool other_type = false;
};

SourceItem item_of(const SiteEntry& entry, const PageCopy& copy, std::string body) {
  SourceItem item;
  item.name = entry.url;
  if (copy.left_out != LeftOut::none) {
    item.left_out = copy.left_out;
    item.trouble = copy.detail;
    return item;
  }
  item.bytes = std::move(body);
  item.url = copy.final_url;
  item.content_type = copy.content_type;
  item.robots_header = copy.robots_header;
  if (const auto time = http::parse_http_date(copy.validators.last_modified(), copy.checked.seconds))
    item.time = base::Instant{*time, 0};
  if (!item.time) item.time = entry.lastmod;
  return item;
}

SitePage left_out(const SiteEntry& entry, LeftOut reason, std::string detail) {
  SitePage page;
  page.item.name = entry.url;
  page.item.left_out = reason;
  page.item.trouble = std::move(detail);
  return page;
}

}  // namespace

/// What came over the network.
struct SitePages::Answer {
  http::FetchHead head;
  std::string body;  ///< decoded
  bool other_type = false;
  std::string failure;  ///< empty if there was an answer
};

bool SitePages::is_allowed(std::string_view url) const {
  const auto parsed = base::Url::parse(url);
  return parsed && options_.robots.judge(*parsed).allowed;
}

base::Result<SitePage> SitePages::get(const SiteEntry& entry) {
  if (!is_allowed(entry.url)) return left_out(entry, LeftOut::robots_disallowed, {});
  SHEAF_TRY_ASSIGN(auto copy, copies_.find(entry.url));
  if (copy && copy->checked >= options_.pass_began) return from_copy(entry, *copy);
  SHEAF_TRY_ASSIGN(Answer answer, ask(entry, copy));
  // The address leads elsewhere now, and what lies there knows nothing of our copy.
  if (answer.head.status == 304 && copy && answer.head.url != copy->final_url) {
    SHEAF_TRY_ASSIGN(answer, ask(entry, std::nullopt));
  }
  return take(entry, std::move(copy), std::move(answer));
}

base::Result<SitePages::Answer> SitePages::ask(const SiteEntry& entry, const std::optional<PageCopy>& copy) {
  http::FetchRequest request{.url = entry.url, .limit = options_.page_bytes};
  request.headers = {{"Accept", "text/html, application/xhtml+xml;q=0.9, */*;q=0.1"},
                     {"Accept-Encoding", std::string(http::kAcceptedEncodings)}};
  if (copy) copy->validators.add_conditions(request.headers);
  request.may_follow = [this](std::string_view url) {
    const auto target = base::Url::parse(url);
    return target && target->host() == options_.host && is_allowed(url);
  };
  PageSink sink;
  const auto head = fetcher_.fetch(request, sink);
  Answer answer{std::move(sink.head), std::move(sink.body), sink.other_type, {}};
  if (!head && !answer.other_type) answer.failure = head.error().message;
  if (!answer.failure.empty() || !is_success(answer.head.status)) return answer;
  auto plain = http::decode_content(std::move(answer.body), answer.head.header("content-encoding"),
                                    options_.page_bytes);
  if (plain) {
    answer.body = std::move(*plain);
  } else {
    answer.failure = plain.error().message;
  }
  return answer;
}

base::Result<SitePage> SitePages::take(const SiteEntry& entry, std::optional<PageCopy> copy, Answer answer) {
  const http::FetchHead& head = answer.head;
  if (!answer.failure.empty()) return in_trouble(entry, std::move(copy), std::move(answer.failure));
  if (head.status == 304 && copy) {
    // What the answer says anew counts; what it does not repeat stays as it was.
    if (const std::string robots = head.joined("x-robots-tag"); !robots.empty()) copy->robots_header = robots;
    copy->checked = copy->wanted = base::now();
    SHEAF_TRY(copies_.confirm(*copy));
    return from_copy(entry, *copy);
  }
  PageCopy fresh{.url = entry.url, .final_url = head.url};
  if (is_success(head.status)) {
    fresh.validators = http::Validators(head);
    fresh.content_type = head.header("content-type");
    fresh.robots_header = head.joined("x-robots-tag");
    if (answer.other_type) {
      fresh.left_out = LeftOut::not_html;
      fresh.detail = fresh.content_type;
    }
  } else if (head.status == 404 || head.status == 410) {
    fresh.left_out = LeftOut::gone;
    fresh.detail = std::to_string(head.status);
  } else if (head.status >= 300 && head.status < 400 && !head.header("location").empty()) {
    const auto from = base::Url::parse(head.url);
    const auto target = base::Url::parse(head.header("location"), from ? &*from : nullptr);
    const bool inside = target && target->host() == options_.host;
    fresh.left_out = inside ? LeftOut::robots_disallowed : LeftOut::redirect;
    fresh.detail = fmt::format("leads to {}", head.header("location"));
  } else {
    return in_trouble(entry, std::move(copy),
                      fmt::format("the site answered {} {}", head.status,
                                  http::reason_phrase(static_cast<unsigned>(head.status))));
  }
  return keep(entry, std::move(fresh), std::move(answer.body));
}

base::Result<SitePage> SitePages::keep(const SiteEntry& entry, PageCopy copy, std::string body) {
  copy.checked = copy.wanted = base::now();
  if (copy.left_out != LeftOut::none) body.clear();
  SHEAF_TRY(copies_.keep(copy, body));
  return SitePage{item_of(entry, copy, std::move(body)), {}};
}

base::Result<SitePage> SitePages::from_copy(const SiteEntry& entry, const PageCopy& copy) {
  std::string body;
  if (copy.left_out == LeftOut::none) {
    SHEAF_TRY_ASSIGN(body, copies_.body(entry.url));
  }
  return SitePage{item_of(entry, copy, std::move(body)), {}};
}

base::Result<SitePage> SitePages::in_trouble(const SiteEntry& entry, std::optional<PageCopy> copy,
                                             std::string why) {
  SitePage page;
  if (copy) {
    copy->wanted = base::now();
    SHEAF_TRY(copies_.confirm(*copy));
    SHEAF_TRY_ASSIGN(page, from_copy(entry, *copy));
  } else {
    page = left_out(entry, LeftOut::unreadable, why);
  }
  page.trouble = fmt::format("{}: {}", entry.url, why);
  return page;
}

}  // namespace sheaf::publish
