// The crawler over a scripted web and clock: no network, no waiting.
#include "sheaf/crawl/crawler.h"

#include "sheaf/crawl/page_copies.h"
#include "support/scripted_web.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace sheaf::crawl {
namespace {

using std::chrono::milliseconds;
using Strings = std::vector<std::string>;

/// Page copies in a map. Requests are made on another thread than results are applied.
class MemoryCopies final : public PageCopies {
 public:
  base::Result<UrlRecord> find(const std::string& url) override {
    const std::lock_guard lock(mutex_);
    const auto found = records.find(url);
    return found == records.end() ? UrlRecord{.url = url} : found->second;
  }
  base::Result<void> apply(PageUpdate& update, CrawledPage& page) override {
    const std::lock_guard lock(mutex_);
    const std::string& url = update.record.url;
    if (update.copy == CopyAction::replace) bodies[url] = page.visit.body;
    if (update.copy == CopyAction::remove) bodies.erase(url);
    records[url] = update.record;
    return {};
  }
  base::Result<std::string> read_template() override { return site_template; }
  base::Result<void> write_template(std::string_view bytes) override {
    site_template = bytes;
    return {};
  }

  std::map<std::string, UrlRecord> records;
  std::map<std::string, std::string> bodies;
  std::string site_template;

 private:
  std::mutex mutex_;
};

class CrawlerOverScript : public testing::Test {
 protected:
  static base::Url url(std::string_view text) { return base::Url::parse(text).value(); }

  CrawlerOptions options() {
    CrawlerOptions options{.site = url(kSite + "/"), .fetch = web_.options()};
    options.fetch.connections = 1;
    options.fetch.delay = milliseconds(0);
    options.clock = [this] { return now_; };
    return options;
  }

  /// One pass over these paths. False: it was stopped.
  bool crawl(const Strings& paths, const CrawlerOptions& options, const std::string& robots = {}) {
    Crawler crawler(options);
    crawler.set_robots(site::RobotsTxt::parse(robots).rules_for("sheaf"));
    fates_.clear();
    const auto result = crawler.visit_pages<CrawledPage>(
        [&](const auto& push) -> base::Result<void> {
          for (const std::string& path : paths) {
            const UrlRecord record = copies_.find(kSite + path).value();
            if (!push(make_request(record, choose_visit(last_visit(record), now_)))) break;
          }
          return {};
        },
        [] { return [](PageVisit visit) { return CrawledPage{.visit = std::move(visit)}; }; },
        [&](CrawledPage page) -> base::Result<bool> {
          if (page.visit.cancelled) return true;
          SHEAF_TRY_ASSIGN(const PageUpdate update, settle_visit(copies_, page, now_));
          fates_.push_back(page.visit.request.url.substr(kSite.size()) + " " +
                           std::to_string(static_cast<int>(update.record.fate)));
          return fates_.size() < stop_after_;
        });
    EXPECT_TRUE(result) << result.error().message;
    use_ = crawler.take_use();
    return result.value_or(false);
  }
  bool crawl(const Strings& paths) { return crawl(paths, options()); }

  static std::string line(const std::string& path, PageOutcome fate) {
    return path + " " + std::to_string(static_cast<int>(fate));
  }

  const std::string kSite = "https://example.com";
  Instant now_{1'800'000'000, 0};
  test::ScriptedWeb web_;
  MemoryCopies copies_;
  Strings fates_;
  std::size_t stop_after_ = SIZE_MAX;
  http::fetch::FetchUse use_;
};

TEST_F(CrawlerOverScript, APassKeepsCopiesUpToDate) {
  web_.put_html(kSite + "/a", "<p>one", "\"1\"");
  web_.put_html(kSite + "/b", "<p>two", "\"2\"");
  EXPECT_TRUE(crawl({"/a", "/b", "/gone"}));
  EXPECT_EQ(fates_, (Strings{line("/a", PageOutcome::stored), line("/b", PageOutcome::stored),
                             line("/gone", PageOutcome::missing)}))
      << "in the order of the list";
  EXPECT_EQ(use_.requests, 3U);
  web_.put_html(kSite + "/b", "<p>changed", "\"3\"");
  web_.forget_requests();
  EXPECT_TRUE(crawl({"/a", "/b"}));
  ASSERT_EQ(web_.requests().size(), 2U);
  EXPECT_EQ(web_.requests()[0].header("If-None-Match"), "\"1\"");
  EXPECT_EQ(copies_.bodies[kSite + "/a"], "<p>one");
  EXPECT_EQ(copies_.bodies[kSite + "/b"], "<p>changed");
}

TEST_F(CrawlerOverScript, APageThatReturnsWithItsOldEntityTagIsFetched) {
  web_.put_html(kSite + "/a", "<p>one", "\"1\"");
  crawl({"/a"});
  web_.remove(kSite + "/a");
  crawl({"/a"});
  EXPECT_TRUE(copies_.bodies.empty());
  web_.put_html(kSite + "/a", "<p>one", "\"1\"");
  crawl({"/a"});
  EXPECT_EQ(copies_.bodies[kSite + "/a"], "<p>one");
}

TEST_F(CrawlerOverScript, RequestsAreAsFarApartAsRobotsTxtSays) {
  for (const std::string path : {"/a", "/b", "/c"}) web_.put_html(kSite + path, "<p>x");
  CrawlerOptions polite = options();
  polite.fetch.delay = milliseconds(500);
  EXPECT_TRUE(crawl({"/a", "/b", "/c"}, polite, "User-agent: *\nCrawl-delay: 30\n"));
  const auto sent = web_.requests();
  ASSERT_EQ(sent.size(), 3U);
  EXPECT_GE(sent[1].at - sent[0].at, milliseconds(30'000));
  EXPECT_GE(sent[2].at - sent[1].at, milliseconds(30'000));
  EXPECT_LE(sent[2].at, milliseconds(61'000)) << "and no longer";
}

TEST_F(CrawlerOverScript, ATemporaryFailureIsRetriedWhenTheServerSays) {
  web_.put_all(kSite + "/a", {{.status = 503, .headers = {{"retry-after", "20"}}},
                              {.headers = {{"content-type", "text/html"}}, .body = "<p>x"}});
  EXPECT_TRUE(crawl({"/a"}));
  EXPECT_EQ(fates_, Strings{line("/a", PageOutcome::stored)});
  ASSERT_EQ(web_.requests().size(), 2U);
  EXPECT_GE(web_.requests()[1].at, milliseconds(20'000));
}

TEST_F(CrawlerOverScript, AFailureLeavesTheCopy) {
  web_.put_html(kSite + "/a", "<p>one", "\"1\"");
  crawl({"/a"});
  web_.put(kSite + "/a", {.status = 500});
  crawl({"/a"});
  EXPECT_EQ(copies_.bodies[kSite + "/a"], "<p>one");
  web_.put(kSite + "/a", {.trouble = http::fetch::FetchTrouble::unreachable});
  crawl({"/a"});
  EXPECT_EQ(copies_.bodies[kSite + "/a"], "<p>one");
}

TEST_F(CrawlerOverScript, EachOriginHasItsOwnRobotsTxtWhichIsReadOnce) {
  const std::string www = "https://www.example.com";
  web_.put(kSite + "/a", {.status = 301, .headers = {{"location", www + "/a"}}});
  web_.put(kSite + "/b", {.status = 301, .headers = {{"location", www + "/private/b"}}});
  web_.put(www + "/robots.txt", {.body = "User-agent: *\nDisallow: /private/\n"});
  web_.put_html(www + "/a", "<p>a");
  web_.put_html(www + "/private/b", "<p>b");
  EXPECT_TRUE(crawl({"/a", "/b"}));
  EXPECT_EQ(fates_, (Strings{line("/a", PageOutcome::stored), line("/b", PageOutcome::disallowed)}));
  EXPECT_EQ(web_.count(www + "/robots.txt"), 1U);
  EXPECT_EQ(web_.count(www + "/private/b"), 0U);
}

TEST_F(CrawlerOverScript, AStoppedCrawlReportsNothingAboutTheRest) {
  Strings paths;
  for (int i = 0; i < 50; ++i) {
    paths.push_back(fmt::format("/{}", i));
    web_.put_html(kSite + paths.back(), "<p>x");
  }
  stop_after_ = 3;
  EXPECT_FALSE(crawl(paths));
  EXPECT_EQ(copies_.records.size(), 3U);
  EXPECT_LT(web_.requests().size(), 50U);
}

TEST_F(CrawlerOverScript, ACancelledRequestIsNotAFailure) {
  CrawlerOptions cancelled = options();
  cancelled.cancelled = [] { return true; };
  cancelled.fetch.cancelled = cancelled.cancelled;
  crawl({"/a", "/b"}, cancelled);
  EXPECT_TRUE(copies_.records.empty());
  EXPECT_TRUE(web_.requests().empty());
}

TEST(SiteTemplates, AreKeptWithTheCopies) {
  MemoryCopies copies;
  EXPECT_EQ(load_template(copies).value(), nullptr);
  extract::Extractor extractor;
  struct Html {
    std::string body;
  };
  std::vector<Html> pages;
  for (int i = 0; i < 40; ++i)
    pages.push_back(
        {fmt::format("<nav>Home and about and contact</nav><main><p>Page {} has a text of its own "
                     "that no other page has.</p></main>",
                     i)});
  const std::string type = "text/html";
  const auto learned = learn_template(
      extractor, pages, [](const Html& page) -> const std::string& { return page.body; },
      [&](const Html&) -> const std::string& { return type; });
  ASSERT_TRUE(copies.write_template(learned->bytes()));
  const auto loaded = load_template(copies).value();
  ASSERT_NE(loaded, nullptr);
  EXPECT_EQ(loaded->bytes(), learned->bytes());
  EXPECT_EQ(loaded->id(), learned->id());
  copies.site_template = "damaged";
  EXPECT_EQ(load_template(copies).value(), nullptr) << "is learned again";
}

TEST(SiteTemplates, APageUnderSeveralUrlsCountsOnce) {
  extract::Extractor extractor;
  const std::string type = "text/html";
  const auto learn = [&](const std::vector<std::string>& pages) {
    return learn_template(
               extractor, pages, [](const std::string& page) -> const std::string& { return page; },
               [&](const std::string&) -> const std::string& { return type; })
        ->bytes();
  };
  std::vector<std::string> pages;
  for (int i = 0; i < 8; ++i)
    pages.push_back(fmt::format("<main><p>Page {} has a text that no other page has.</p></main>", i));
  const std::string once = learn(pages);
  for (int i = 0; i < 4; ++i) pages.push_back(pages.front());
  EXPECT_EQ(learn(pages), once);
}

}  // namespace
}  // namespace sheaf::crawl
