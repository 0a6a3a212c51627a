// A live site as a source over a scripted web and clock; live_site_test.cpp and live_site.py use real
// servers.
#include "sheaf/publish/sources/live_copies.h"
#include "sheaf/publish/sources/site_listing.h"
#include "sheaf/publish/sources/source.h"
#include "support/scripted_web.h"
#include "support/temp_dir.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace sheaf::publish {
namespace {

using std::chrono::milliseconds;
using LiveStrings = std::vector<std::string>;

const std::string kLive = "https://live.example";

class LiveCrawl : public testing::Test {
 protected:
  LiveCrawl()
      : database_(database::Database::open(folder_ / "live").value()),
        gate_(2, 2, std::chrono::seconds(30), web_.clock()) {}

  void put_pages(int count) {
    std::string sitemap;
    for (int i = 0; i < count; ++i) {
      sitemap += fmt::format("{}/{}/{}\n", kLive, i % 2 == 0 ? "docs" : "blog", i);
      put_page(i, "one");
    }
    web_.put(kLive + "/sitemap.xml", {.body = sitemap});
  }
  void put_page(int number, const std::string& version) {
    web_.put_html(
        fmt::format("{}/{}/{}", kLive, number % 2 == 0 ? "docs" : "blog", number),
        fmt::format("<nav>Home, about us and everything else</nav><main><p>Page {} in its version {} "
                    "has a text of its own.</p></main>",
                    number, version),
        fmt::format("\"{}-{}\"", number, version));
  }

  struct Outcome {
    base::Result<void> result;
    std::map<std::string, SourceItem> items;  ///< by path
    LiveStrings notes;
  };

  /// One source of a run.
  Outcome read(SiteListings& listings, const std::string& folder = "/", const std::string& agent = "sheaf",
               std::size_t stop_after = SIZE_MAX) {
    LiveCopies copies = LiveCopies::open(database_, folder, 1U << 30, [this] { return now_; }).value();
    SiteSourceOptions options{.base = *base::Url::parse(kLive), .below = *base::Url::parse(kLive + folder)};
    options.fetch.connections = connections_;
    options.fetch.delay = delay_;
    options.fetch = web_.options();
    options.fetch.user_agent = agent;
    options.fetch.gate = &gate_;
    options.clock = [this] { return now_; };
    const auto source = site_source(options, copies, listings);
    Outcome outcome;
    outcome.result = source->read([&](SourceItem item) {
      const std::string path = item.name.substr(kLive.size());
      outcome.items[path] = std::move(item);
      return outcome.items.size() < stop_after;
    });
    EXPECT_TRUE(outcome.result) << outcome.result.error().message;
    outcome.notes = source->notes();
    return outcome;
  }
  /// A run with one source.
  Outcome read_all() {
    now_.seconds += 86'400;
    web_.forget_requests();
    SiteListings listings;
    return read(listings);
  }

  test::TempDir folder_;
  test::ScriptedWeb web_;
  database::Database database_;
  http::fetch::HostGate gate_;
  Instant now_{1'800'000'000, 0};
  milliseconds delay_{0};
  unsigned connections_ = 1;
};

TEST_F(LiveCrawl, SourcesOfARunShareRobotsAndSitemaps) {
  put_pages(10);
  web_.put(kLive + "/robots.txt", {.body = "User-agent: *\nCrawl-delay: 20\n"});
  SiteListings listings;
  EXPECT_EQ(read(listings, "/docs/").items.size(), 5U);
  EXPECT_EQ(read(listings, "/blog/").items.size(), 5U);
  EXPECT_EQ(web_.count(kLive + "/robots.txt"), 1U);
  EXPECT_EQ(web_.count(kLive + "/sitemap.xml"), 1U);
  const auto sent = web_.requests();
  ASSERT_EQ(sent.size(), 12U);
  for (std::size_t i = 2; i < sent.size(); ++i)
    EXPECT_GE(sent[i].at - sent[i - 1].at, milliseconds(20'000)) << sent[i].url << ", also between sources";
  read(listings, "/docs/", "another");
  EXPECT_EQ(web_.count(kLive + "/robots.txt"), 2U) << "another agent has rules of its own";
}

TEST_F(LiveCrawl, TroubleWithSitemapsIsReportedOnce) {
  put_pages(4);
  web_.put(kLive + "/sitemap.xml",
           {.body = kLive + "/docs/0\n" + kLive + "/blog/1\nhttps://other.example/x\n"});
  SiteListings listings;
  EXPECT_EQ(read(listings, "/docs/").notes.size(), 1U);
  EXPECT_TRUE(read(listings, "/blog/").notes.empty());
}

TEST_F(LiveCrawl, TheTemplateIsLearnedOnceAndKept) {
  put_pages(40);
  const Outcome first = read_all();
  ASSERT_EQ(first.items.size(), 40U);
  const auto learned = first.items.at("/docs/0").site_template;
  ASSERT_NE(learned, nullptr);
  for (const auto& [path, item] : first.items) EXPECT_EQ(item.site_template, learned) << path;
  put_page(0, "two");
  const Outcome second = read_all();
  ASSERT_EQ(second.items.size(), 40U);
  EXPECT_EQ(second.items.at("/docs/0").site_template->id(), learned->id())
      << "another template would make every page look changed";
  LiveCopies copies = LiveCopies::open(database_, "/", 1U << 30).value();
  EXPECT_EQ(copies.read_template(), learned->bytes());
}

TEST_F(LiveCrawl, ASmallSiteHasNoTemplate) {
  put_pages(9);
  EXPECT_EQ(read_all().items.at("/docs/0").site_template, nullptr);
  LiveCopies copies = LiveCopies::open(database_, "/", 1U << 30).value();
  EXPECT_EQ(copies.read_template(), "") << "it is learned when there are more pages";
}

TEST_F(LiveCrawl, OnePageMoreLeavesTheTemplateAsItIs) {
  put_pages(12);
  const auto learned = read_all().items.at("/docs/0").site_template;
  ASSERT_NE(learned, nullptr);
  put_pages(13);
  EXPECT_EQ(read_all().items.at("/docs/0").site_template->id(), learned->id());
}

TEST_F(LiveCrawl, ConditionsFailuresAndUrlsWithoutPages) {
  put_pages(10);
  read_all();
  web_.put(kLive + "/docs/0", {.status = 403});
  web_.remove(kLive + "/blog/1");
  web_.put(kLive + "/docs/2", {.status = 301, .headers = {{"location", "https://other.example/"}}});
  web_.put(kLive + "/blog/3", {.headers = {{"content-type", "application/pdf"}}, .body = "%PDF"});
  put_page(4, "two");
  const Outcome got = read_all();
  EXPECT_NE(got.items.at("/docs/0").bytes.find("version one"), std::string::npos) << "from its copy";
  EXPECT_EQ(got.items.at("/blog/1").skip, SkipReason::gone);
  EXPECT_EQ(got.items.at("/docs/2").skip, SkipReason::redirect);
  EXPECT_EQ(got.items.at("/blog/3").skip, SkipReason::not_html);
  EXPECT_NE(got.items.at("/docs/4").bytes.find("version two"), std::string::npos);
  ASSERT_EQ(got.notes.size(), 1U);
  EXPECT_TRUE(got.notes[0].starts_with("1 of 10 pages could not be fetched")) << got.notes[0];
  for (const test::SentRequest& request : web_.requests())
    if (request.url == kLive + "/blog/5") {
      EXPECT_EQ(request.header("If-None-Match"), "\"5-one\"");
    }
}

TEST_F(LiveCrawl, APageThatIsAllowedAgainReturns) {
  put_pages(4);
  read_all();
  web_.put(kLive + "/robots.txt", {.body = "User-agent: *\nDisallow: /docs/\n"});
  EXPECT_EQ(read_all().items.at("/docs/0").skip, SkipReason::robots_disallowed);
  EXPECT_EQ(web_.count(kLive + "/docs/0"), 0U);
  web_.remove(kLive + "/robots.txt");
  const Outcome back = read_all();
  EXPECT_EQ(back.items.at("/docs/0").skip, SkipReason::none);
  EXPECT_FALSE(back.items.at("/docs/0").bytes.empty());
}

TEST_F(LiveCrawl, APageIsStoredAlthoughAnEarlierOneIsStillUnderWay) {
  put_pages(8);
  connections_ = 2;
  const std::string last = kLive + "/blog/7";
  bool was_stored = false;
  web_.on(kLive + "/docs/0", [&](const test::SentRequest&) -> test::ScriptedResponse {
    LiveCopies copies = LiveCopies::open(database_, "/", 1U << 30).value();
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!was_stored && std::chrono::steady_clock::now() < give_up) {
      was_stored = copies.find(last).value().fate == crawl::PageOutcome::stored;
      std::this_thread::yield();
    }
    return {.headers = {{"content-type", "text/html"}}, .body = "<p>The page that takes its time."};
  });
  EXPECT_EQ(read_all().items.size(), 8U);
  EXPECT_TRUE(was_stored) << "a kill would lose pages that arrived";
}

TEST_F(LiveCrawl, AnInterruptedReadCanContinueForSixHours) {
  put_pages(80);
  SiteListings listings;
  read(listings, "/", "sheaf", 50);
  const std::size_t before = web_.requests().size();
  EXPECT_LT(before, 80U);
  now_.seconds += 3600;
  web_.forget_requests();
  EXPECT_EQ(read(listings).items.size(), 80U);
  EXPECT_LE(web_.requests().size(), 30U) << "what was fetched an hour ago is not requested";
  now_.seconds += 60;
  web_.forget_requests();
  EXPECT_EQ(read(listings).items.size(), 80U);
  EXPECT_EQ(web_.requests().size(), 80U) << "a new pass requests every page";
}

}  // namespace
}  // namespace sheaf::publish
