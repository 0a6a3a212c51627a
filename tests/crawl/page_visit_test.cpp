#include "sheaf/crawl/page_visit.h"

#include "sheaf/format/codecs/codec.h"
#include "support/scripted_web.h"

#include <gtest/gtest.h>

#include <utility>

namespace sheaf::crawl {
namespace {

using http::fetch::FetchTrouble;
using Scripted = test::ScriptedResponse;

class PageVisits : public testing::Test {
 protected:
  static base::Url url(std::string_view text) { return base::Url::parse(text).value(); }

  PageVisits() {
    robots_.set(url("https://example.com/"),
                site::RobotsTxt::parse("User-agent: *\nDisallow: /private\n").rules_for("sheaf"));
  }
  PageVisit visit(PageRequest request) { return visit_page(fetcher_, std::move(request), options_); }
  PageVisit visit(const std::string& path) { return visit(PageRequest{.url = kSite + path}); }
  void put(const std::string& path, Scripted answer) { web_.put(kSite + path, std::move(answer)); }

  const std::string kSite = "https://example.com";
  test::ScriptedWeb web_;
  http::fetch::Fetcher fetcher_{[this] {
    http::fetch::FetchOptions options = web_.options();
    options.tries = 1;
    return options;
  }()};
  site::OriginRobots robots_{"sheaf", [](const base::Url&) -> base::Result<site::RobotsReply> {
                               return base::fail(base::Errc::io, "no answer");
                             }};
  VisitOptions options_{.site = url("https://example.com/"), .robots = robots_};
};

TEST_F(PageVisits, WhatBecomesOfAnAnswer) {
  const std::vector<std::pair<std::string, std::string>> html = {{"content-type", "text/html"}};
  struct Case {
    Scripted answer;
    PageOutcome fate;
    bool unhealthy = false;
  };
  const Case cases[] = {
      {{.headers = html, .body = "<p>x"}, PageOutcome::stored},
      {{.body = " <p>x"}, PageOutcome::stored},
      {{.body = "%PDF"}, PageOutcome::no_page},
      {{.headers = {{"content-type", "application/pdf"}}, .body = "<p>x"}, PageOutcome::no_page},
      {{.status = 206, .headers = html, .body = "<p>x"}, PageOutcome::failed},
      {{.status = 404}, PageOutcome::missing},
      {{.status = 410}, PageOutcome::missing},
      {{.status = 403}, PageOutcome::failed},
      {{.status = 503}, PageOutcome::failed, true},
      {{.trouble = FetchTrouble::unreachable}, PageOutcome::failed, true},
      {{.trouble = FetchTrouble::too_large}, PageOutcome::failed},
      {{.status = 301, .headers = {{"location", "https://example.com/private/x"}}}, PageOutcome::disallowed},
      {{.status = 301, .headers = {{"location", "https://other.example/"}}}, PageOutcome::elsewhere},
      {{.status = 301, .headers = {{"location", "https://www.example.com/"}}}, PageOutcome::failed},
  };
  for (const Case& each : cases) {
    put("/a", each.answer);
    const PageVisit got = visit("/a");
    EXPECT_EQ(got.fate, each.fate) << &each - cases;
    EXPECT_EQ(got.unhealthy, each.unhealthy) << &each - cases;
    EXPECT_EQ(got.body.empty(), each.fate != PageOutcome::stored) << &each - cases;
  }
}

TEST_F(PageVisits, PlainHttpUrlsOfAnHttpsSiteAreRequestedOverHttps) {
  const std::string plain = "http://example.com/a";
  web_.put_html(plain, "<p>of an attacker");
  web_.put_html(kSite + "/a", "<p>of the site");
  const PageVisit got = visit(PageRequest{.url = plain});
  EXPECT_EQ(got.body, "<p>of the site");
  EXPECT_EQ(got.final_url, kSite + "/a");
  EXPECT_EQ(web_.count(plain), 0U);
  EXPECT_EQ(visit(PageRequest{.url = "http://example.com/private/x"}).fate, PageOutcome::disallowed);
  options_.allow_http = true;
  robots_.set(url("http://example.com/"), site::RobotsTxt::parse("").rules_for("sheaf"));
  EXPECT_EQ(visit(PageRequest{.url = plain}).body, "<p>of an attacker");
}

TEST_F(PageVisits, AFailureHasItsCause) {
  const std::string url = kSite + "/a";
  struct Case {
    Scripted answer;
    FailureCause cause;
    FetchTrouble trouble;
    std::string description;
  };
  const Case cases[] = {
      {{.status = 403}, FailureCause::status, FetchTrouble::none, url + " answered 403"},
      {{.status = 301}, FailureCause::status, FetchTrouble::none, url + " answered 301"},
      {{.trouble = FetchTrouble::too_slow},
       FailureCause::transfer,
       FetchTrouble::too_slow,
       url + ": scripted trouble"},
      {{.trouble = FetchTrouble::too_large},
       FailureCause::transfer,
       FetchTrouble::too_large,
       url + ": scripted trouble"},
      {{.status = 301, .headers = {{"location", "https://www.example.com/"}}},
       FailureCause::robots_unreadable,
       FetchTrouble::none,
       url + ": robots.txt of https://www.example.com cannot be read"},
  };
  for (const Case& each : cases) {
    put("/a", each.answer);
    const PageVisit got = visit("/a");
    EXPECT_EQ(got.fate, PageOutcome::failed) << each.description;
    EXPECT_EQ(got.cause, each.cause) << each.description;
    EXPECT_EQ(got.trouble, each.trouble) << each.description;
    EXPECT_EQ(describe_failure(got), each.description);
  }
  put("/a", {.headers = {{"content-type", "text/html"}, {"content-encoding", "gzip"}},
             .body = "\x1f\x8b\x08 cut off"});
  const PageVisit damaged = visit("/a");
  EXPECT_EQ(damaged.fate, PageOutcome::failed);
  EXPECT_EQ(damaged.cause, FailureCause::unreadable_body);
  EXPECT_TRUE(describe_failure(damaged).starts_with(url + ": ")) << describe_failure(damaged);
  put("/a", {.headers = {{"content-type", "text/html"}}, .body = "<p>x"});
  EXPECT_EQ(visit("/a").cause, FailureCause::none);
}

TEST_F(PageVisits, APageMayHave32MiBAsSentAndDecoded) {
  const std::string whole = "<p>" + std::string(kPageBytes - 3, 'x');
  const std::string longer = whole + 'x';
  const auto compressed = [](const std::string& body) {
    std::string out;
    EXPECT_TRUE(format::make_encoder(format::Codec::gzip, 1)->encode(body, format::Flush::end, out));
    return out;
  };
  put("/a", {.headers = {{"content-type", "text/html"}}, .body = whole});
  EXPECT_EQ(visit("/a").fate, PageOutcome::stored);
  put("/a", {.headers = {{"content-type", "text/html"}}, .body = longer});
  EXPECT_EQ(visit("/a").fate, PageOutcome::failed);
  put("/a",
      {.headers = {{"content-type", "text/html"}, {"content-encoding", "gzip"}}, .body = compressed(whole)});
  EXPECT_EQ(visit("/a").fate, PageOutcome::stored);
  put("/a",
      {.headers = {{"content-type", "text/html"}, {"content-encoding", "gzip"}}, .body = compressed(longer)});
  const PageVisit bomb = visit("/a");
  EXPECT_EQ(bomb.fate, PageOutcome::failed);
  EXPECT_EQ(bomb.cause, FailureCause::unreadable_body);
}

TEST_F(PageVisits, DisallowedUrlsAreNotRequested) {
  EXPECT_EQ(visit("/private/x").fate, PageOutcome::disallowed);
  EXPECT_EQ(visit(PageRequest{.url = "https://other.example/"}).fate, PageOutcome::elsewhere);
  EXPECT_EQ(visit(PageRequest{.url = "https://www.example.com/"}).fate, PageOutcome::failed)
      << "robots.txt unreadable";
  EXPECT_TRUE(web_.requests().empty());
}

TEST_F(PageVisits, ANotModifiedFromAnotherUrlDoesNotConfirmTheCopy) {
  const Scripted page{.headers = {{"content-type", "text/html"}, {"etag", "\"1\""}}, .body = "<p>x"};
  put("/a", page);
  put("/moved", {.status = 301, .headers = {{"location", kSite + "/a"}}});
  PageRequest request{.url = kSite + "/a", .validators = {"\"1\"", ""}, .known_url = kSite + "/a"};
  EXPECT_TRUE(visit(request).not_modified);
  request.url = kSite + "/moved";
  request.known_url = kSite + "/elsewhere";
  const PageVisit again = visit(request);
  EXPECT_FALSE(again.not_modified);
  EXPECT_EQ(again.body, "<p>x");
  EXPECT_EQ(again.final_url, kSite + "/a");
}

}  // namespace
}  // namespace sheaf::crawl
