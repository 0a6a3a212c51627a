// A pull of a site without collections, from robots.txt to the store, over a scripted web and clock.
#include "sheaf/pull/crawl_state.h"
#include "sheaf/pull/fleet.h"
#include "sheaf/pull/pull.h"
#include "sheaf/store/open/open_store.h"
#include "sheaf/store/site_notes.h"
#include "support/scripted_web.h"
#include "support/temp_dir.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <thread>

namespace sheaf::pull {
namespace {

using http::fetch::FetchTrouble;
using std::chrono::milliseconds;
using Strings = std::vector<std::string>;

const std::string kCrawledSite = "https://example.com";

std::string page_html(const std::string& text) {
  return fmt::format(
      "<html lang=en><title>{0}</title><main><h1>{0}</h1><p>What the page {0} says is said here, in a "
      "sentence that is long enough to be content.</p></main>",
      text);
}

class SiteCrawls : public testing::Test {
 protected:
  SiteCrawls()
      : store_(store::open_store((folder_.path() / "store").string(), StoreAccess::write).value()),
        state_(*store_, kCrawledSite) {
    web_.put(kCrawledSite + "/robots.txt", {.headers = {{"etag", "\"r\""}}, .body = "User-agent: *\n"});
    options_.fetch = web_.options();
    options_.fetch.connections = 1;
    options_.fetch.delay = milliseconds(0);
    options_.clock = [this] { return now_; };
  }

  void put_sitemap(const Strings& paths, const std::string& lastmod = {}) {
    std::string text = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
    for (const std::string& path : paths)
      text += fmt::format("<url><loc>{}{}</loc>{}</url>", kCrawledSite, path,
                          lastmod.empty() ? "" : "<lastmod>" + lastmod + "</lastmod>");
    web_.put(kCrawledSite + "/sitemap.xml", {.body = text + "</urlset>"});
  }

  PullReport pull() {
    web_.forget_requests();
    now_.seconds += 3600;
    auto report = pull_site(*store_, *base::Url::parse(kCrawledSite), folder_.path() / "files", options_);
    EXPECT_TRUE(report) << report.error().message;
    return report ? std::move(*report) : PullReport{};
  }

  /// URLs in the store below the site, and their JSON.
  std::map<std::string, std::string> pages() {
    std::map<std::string, std::string> found;
    store::PageFilter filter;
    filter.site = kCrawledSite;
    const auto walked = store_->each_page(filter, [&](const store::StoredPage& page) -> base::Result<bool> {
      found[std::string(page.url.substr(kCrawledSite.size()))] = page.json;
      return true;
    });
    EXPECT_TRUE(walked);
    return found;
  }
  Strings page_urls() {
    Strings urls;
    for (const auto& [url, json] : pages()) urls.push_back(url);
    return urls;
  }
  [[nodiscard]] std::size_t requests(const std::string& path) const {
    return web_.count(kCrawledSite + path);
  }

  test::TempDir folder_;
  test::ScriptedWeb web_;
  std::unique_ptr<store::PageStore> store_;
  CrawlState state_;
  Instant now_{1'800'000'000, 0};
  SitePullOptions options_;
};

TEST_F(SiteCrawls, EverythingIsRequestedOnceAndThenOnlyIfItChanged) {
  web_.put_html(kCrawledSite + "/", page_html("Home"), "\"h\"");
  web_.put_html(kCrawledSite + "/a", page_html("One"), "\"1\"");
  put_sitemap({"/a", "/", "/gone", "/paper"});
  web_.put(kCrawledSite + "/paper", {.headers = {{"content-type", "application/pdf"}}, .body = "%PDF"});
  PullReport report = pull();
  ASSERT_TRUE(report.ok) << report.failure.message;
  EXPECT_EQ(web_.urls()[0], kCrawledSite + "/robots.txt");
  EXPECT_EQ(web_.urls()[1], kCrawledSite + "/sitemap.xml");
  auto urls = web_.urls();
  std::ranges::sort(urls);
  EXPECT_EQ(std::ranges::adjacent_find(urls), urls.end()) << "nothing is requested twice";
  EXPECT_EQ(report.requests, urls.size());
  EXPECT_EQ(page_urls(), (Strings{"/", "/a"}));
  EXPECT_EQ(report.crawl->added, 2U);
  EXPECT_EQ(report.crawl->missing, 1U);
  EXPECT_EQ(report.crawl->no_page, 1U);

  web_.put_html(kCrawledSite + "/a", page_html("Two"), "\"2\"");
  report = pull();
  ASSERT_TRUE(report.ok);
  EXPECT_EQ(report.crawl->not_modified, 1U);
  EXPECT_EQ(report.crawl->changed, 1U);
  EXPECT_NE(pages()["/a"].find("Two"), std::string::npos);
  EXPECT_EQ(web_.requests()[0].header("If-None-Match"), "\"r\"") << "robots.txt too";
}

TEST_F(SiteCrawls, PagesBeyondTheQuotaAreNotFetched) {
  Strings paths;
  for (int i = 0; i < 100; ++i) paths.push_back(fmt::format("/{}", i));
  for (const std::string& path : paths) web_.put_html(kCrawledSite + path, page_html(path));
  put_sitemap(paths);
  options_.quota = 5'000;
  PullReport report = pull();
  EXPECT_EQ(report.failure.code, FailureCode::too_large) << report.failure.message;
  EXPECT_GT(page_urls().size(), 5U);
  EXPECT_LT(page_urls().size(), 90U);
  EXPECT_EQ(pull().failure.code, FailureCode::too_large);
  options_.quota = 1'000'000;
  EXPECT_TRUE(pull().ok);
  EXPECT_EQ(page_urls().size(), 100U);
}

TEST_F(SiteCrawls, APullThatTakesTooLongIsContinuedByTheNext) {
  Strings paths;
  for (int i = 0; i < 30; ++i) paths.push_back(fmt::format("/{}", i));
  for (const std::string& path : paths) web_.put_html(kCrawledSite + path, page_html(path));
  put_sitemap(paths);
  options_.fetch.delay = std::chrono::seconds(10);
  options_.time_limit = std::chrono::seconds(200);
  PullReport report = pull();
  EXPECT_EQ(report.failure.code, FailureCode::too_slow) << report.failure.message;
  EXPECT_NE(report.failure.message.find("longer than 200 seconds"), std::string::npos);
  EXPECT_GT(page_urls().size(), 10U);
  EXPECT_LT(page_urls().size(), 25U);
  EXPECT_EQ(store::read_history(*store_, kCrawledSite).value()->failure_code, "too-slow");
  EXPECT_TRUE(pull().ok);
  EXPECT_EQ(page_urls().size(), 30U);
  EXPECT_EQ(requests("/0"), 0U);
}

TEST_F(SiteCrawls, RobotsTxtAlsoRulesOverSitemaps) {
  const std::string rules = "User-agent: *\nDisallow: /";
  web_.on_any([](const test::SentRequest&) { return test::ScriptedResponse{.body = page_html("Any")}; });
  web_.put(kCrawledSite + "/robots.txt", {.body = rules + "\n"});
  for (const FetchPages html : {FetchPages::fallback, FetchPages::always, FetchPages::never}) {
    options_.html = html;
    const PullReport report = pull();
    EXPECT_EQ(report.failure.code, FailureCode::robots_disallowed) << report.failure.message;
    EXPECT_EQ(web_.urls(), Strings{kCrawledSite + "/robots.txt"});
  }
  options_.html = FetchPages::fallback;
  web_.on_any({});
  web_.put(kCrawledSite + "/robots.txt",
           {.body = fmt::format("{}hidden\nSitemap: {}/index.xml\n", rules, kCrawledSite)});
  web_.put(kCrawledSite + "/index.xml",
           {.body = fmt::format("<sitemapindex><sitemap><loc>{0}/hidden.xml</loc></sitemap><sitemap>"
                                "<loc>{0}/moved.xml</loc></sitemap></sitemapindex>",
                                kCrawledSite)});
  web_.put(kCrawledSite + "/moved.xml", {.status = 302, .headers = {{"location", "/hidden/moved.xml"}}});
  web_.put_html(kCrawledSite + "/", page_html("Home"));
  pull();
  EXPECT_GT(requests("/moved.xml"), 0U);
  EXPECT_EQ(requests("/hidden.xml"), 0U);
  EXPECT_EQ(requests("/hidden/moved.xml"), 0U) << "redirects are judged too";
  EXPECT_EQ(page_urls(), Strings{"/"});
}

// Stored URLs are exported, so they must not have a password.
TEST_F(SiteCrawls, UrlsWithAPasswordAreRequestedAndStoredWithoutIt) {
  const std::string listed =
      "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"
      "<url><loc>https://user:secret@example.com/a</loc></url></urlset>";
  web_.put(kCrawledSite + "/sitemap.xml", {.body = listed});
  web_.put_html(kCrawledSite + "/a", page_html("One"), "\"1\"");
  web_.put_html(kCrawledSite + "/", page_html("Home"), "\"h\"");
  ASSERT_TRUE(pull().ok);
  EXPECT_EQ(page_urls(), (Strings{"/", "/a"}));
  for (const std::string& url : web_.urls()) EXPECT_EQ(url.find("secret"), std::string::npos) << url;
}

TEST_F(SiteCrawls, AnUnchangedLastmodIsTrustedForAWeek) {
  web_.put_html(kCrawledSite + "/a", page_html("One"), "\"1\"");
  web_.put_html(kCrawledSite + "/", page_html("Home"), "\"h\"");
  put_sitemap({"/a", "/"}, "2026-01-01");
  ASSERT_TRUE(pull().ok);
  EXPECT_EQ(pull().crawl->fresh, 2U);
  EXPECT_EQ(requests("/a"), 0U);
  now_.seconds += 8 * 86'400;
  pull();
  EXPECT_EQ(requests("/a"), 1U);
  put_sitemap({"/a", "/"}, "2026-02-01");
  pull();
  EXPECT_EQ(requests("/a"), 1U);
}

TEST_F(SiteCrawls, AFailedVisitDoesNotCountAsAVisit) {
  web_.put_html(kCrawledSite + "/a", page_html("One"), "\"1\"");
  web_.put_html(kCrawledSite + "/", page_html("Home"), "\"h\"");
  put_sitemap({"/a", "/"}, "2026-01-01");
  ASSERT_TRUE(pull().ok);
  now_.seconds += 8 * 86'400;
  web_.put(kCrawledSite + "/a", {.status = 403});
  const PullReport report = pull();
  EXPECT_EQ(report.failure.code, FailureCode::pages_failed);
  EXPECT_EQ(page_urls(), (Strings{"/", "/a"})) << "what was there stays";
  pull();
  EXPECT_EQ(requests("/a"), 1U) << "requested again, although its lastmod is that of its copy";
}

TEST_F(SiteCrawls, PagesWhoseCanonicalUrlIsAnother) {
  const auto with_canonical = [](std::string_view url) {
    return fmt::format("<link rel=canonical href='{}'>", url) + page_html("One");
  };
  web_.put_html(kCrawledSite + "/", page_html("Home"));
  web_.put_html(kCrawledSite + "/page", page_html("One"));
  web_.put_html(kCrawledSite + "/print", with_canonical("/page"));
  web_.put_html(kCrawledSite + "/a", with_canonical("https://www.production.example/a"));
  web_.put_html(kCrawledSite + "/b", with_canonical("https://www.production.example/b"));
  put_sitemap({"/", "/page", "/print", "/a", "/b"});
  const PullReport report = pull();
  ASSERT_TRUE(report.ok) << report.failure.message;
  EXPECT_EQ(page_urls(), (Strings{"/", "/page"}));
  EXPECT_EQ(report.crawl->duplicates, 1U);
  EXPECT_EQ(report.crawl->elsewhere, 2U);
  EXPECT_EQ(report.crawl->no_page, 0U);
}

TEST_F(SiteCrawls, RedirectsWithinTheSiteAndOutOfIt) {
  web_.put(kCrawledSite + "/old", {.status = 301, .headers = {{"location", "/new"}}});
  web_.put(kCrawledSite + "/away", {.status = 301, .headers = {{"location", "https://other.example/"}}});
  web_.put(kCrawledSite + "/trap", {.status = 302, .headers = {{"location", "/private/x"}}});
  web_.put(kCrawledSite + "/robots.txt", {.body = "User-agent: *\nDisallow: /private/\n"});
  web_.put_html(kCrawledSite + "/new", page_html("New"), "\"1\"");
  web_.put_html(kCrawledSite + "/", page_html("Home"));
  put_sitemap({"/old", "/away", "/trap", "/"});
  PullReport report = pull();
  ASSERT_TRUE(report.ok) << report.failure.message;
  EXPECT_EQ(page_urls(), (Strings{"/", "/new"}));
  EXPECT_EQ(report.crawl->elsewhere, 1U);
  EXPECT_EQ(report.crawl->disallowed, 1U);
  EXPECT_EQ(requests("/private/x"), 0U);
  EXPECT_EQ(web_.count("https://other.example/"), 0U);
  EXPECT_EQ(pull().crawl->changed, 0U) << "the page keeps its URL and its time";
}

TEST_F(SiteCrawls, PagesComeAndGoWithTheirHeaders) {
  web_.put_html(kCrawledSite + "/", page_html("Home"));
  web_.put_html(kCrawledSite + "/a", page_html("One"), "\"1\"");
  put_sitemap({"/a", "/"});
  ASSERT_TRUE(pull().ok);
  web_.put(kCrawledSite + "/a",
           {.headers = {{"content-type", "text/html"}, {"etag", "\"1\""}, {"x-robots-tag", "noindex"}},
            .body = page_html("One")});
  PullReport report = pull();
  EXPECT_EQ(report.crawl->noindex, 1U);
  EXPECT_EQ(page_urls(), Strings{"/"}) << "a 304 that says noindex takes the page away";
  web_.put_html(kCrawledSite + "/a", page_html("One"), "\"1\"");
  pull();
  EXPECT_EQ(page_urls(), (Strings{"/", "/a"})) << "and it comes back without the header";
  web_.remove(kCrawledSite + "/a");
  EXPECT_EQ(pull().crawl->missing, 1U);
  EXPECT_EQ(page_urls(), Strings{"/"});
  web_.put_html(kCrawledSite + "/a", page_html("One"), "\"1\"");
  pull();
  EXPECT_EQ(page_urls(), (Strings{"/", "/a"})) << "with the entity tag it had before";
}

TEST_F(SiteCrawls, ACancelledPullContinuesWhereItStopped) {
  Strings paths = {"/"};
  for (int i = 0; i < 20; ++i) paths.push_back(fmt::format("/{}", i));
  for (const std::string& path : paths) web_.put_html(kCrawledSite + path, page_html("Page " + path));
  put_sitemap(paths);
  options_.cancelled = [this] { return web_.requests().size() >= 10; };
  options_.fetch.cancelled = options_.cancelled;
  EXPECT_EQ(pull().failure.code, FailureCode::cancelled);
  Strings asked = web_.urls();
  options_.cancelled = options_.fetch.cancelled = {};
  ASSERT_TRUE(pull().ok);
  EXPECT_EQ(page_urls().size(), 21U);
  std::erase(asked, kCrawledSite + "/robots.txt");
  std::erase(asked, kCrawledSite + "/sitemap.xml");
  for (const std::string& url : asked) EXPECT_EQ(web_.count(url), 0U) << url << " was fetched before";
}

TEST_F(SiteCrawls, AContinuedPullFindsWhatHasChangedSinceItBegan) {
  Strings paths = {"/"};
  for (int i = 0; i < 20; ++i) paths.push_back(fmt::format("/{}", i));
  for (const std::string& path : paths) web_.put_html(kCrawledSite + path, page_html("Page " + path));
  put_sitemap(paths, "2026-01-01");
  options_.cancelled = [this] { return web_.requests().size() >= 10; };
  options_.fetch.cancelled = options_.cancelled;
  EXPECT_EQ(pull().failure.code, FailureCode::cancelled);
  const std::string visited = page_urls().front();
  options_.cancelled = options_.fetch.cancelled = {};
  web_.put_html(kCrawledSite + visited, page_html("Changed"));
  web_.put_html(kCrawledSite + "/new", page_html("New"));
  paths.push_back("/new");
  put_sitemap(paths, format_time({now_.seconds + 60, 0}));
  ASSERT_TRUE(pull().ok);
  EXPECT_EQ(page_urls().size(), 22U);
  EXPECT_TRUE(pages().contains("/new"));
  EXPECT_TRUE(pages().at(visited).contains("Changed"));
}

TEST_F(SiteCrawls, APageIsStoredAlthoughAnEarlierOneIsStillUnderWay) {
  Strings paths = {"/"};
  for (int i = 0; i < 70; ++i) paths.push_back(fmt::format("/{}", i));
  std::atomic<int> begun = 0;
  bool was_stored = false;
  // One page of the middle waits until more pages are in the store than were requested before it.
  const auto answer = [&](const test::SentRequest& request) -> test::ScriptedResponse {
    const int before = begun++;
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (before == 60 && !was_stored && std::chrono::steady_clock::now() < give_up) {
      const auto section = store_->section(kCrawledSite, "html").value();
      was_stored = section && section->pages > 60;
      std::this_thread::yield();
    }
    return {.headers = {{"content-type", "text/html"}}, .body = page_html("Page " + request.url)};
  };
  for (const std::string& path : paths) web_.on(kCrawledSite + path, answer);
  put_sitemap(paths);
  options_.fetch.connections = 2;
  ASSERT_TRUE(pull().ok);
  EXPECT_EQ(page_urls().size(), 71U);
  EXPECT_TRUE(was_stored) << "a kill would lose pages that arrived";
}

TEST_F(SiteCrawls, ABudgetEndsAPullInGoodOrder) {
  Strings paths = {"/"};
  for (int i = 0; i < 20; ++i) paths.push_back(fmt::format("/{}", i));
  for (const std::string& path : paths) web_.put_html(kCrawledSite + path, page_html("Page " + path));
  put_sitemap(paths);
  options_.fetch.delay = milliseconds(10'000);
  options_.crawl.budget = std::chrono::seconds(60);
  PullReport report = pull();
  EXPECT_TRUE(report.ok) << "only its time was up";
  EXPECT_FALSE(report.crawl->complete);
  EXPECT_LT(page_urls().size(), 15U);
  for (int i = 0; i < 10 && !report.crawl->complete; ++i) report = pull();
  EXPECT_TRUE(report.crawl->complete);
  EXPECT_EQ(page_urls().size(), 21U);
}

TEST_F(SiteCrawls, ASiteThatFailsIsLeftAlone) {
  Strings paths;
  for (int i = 0; i < 40; ++i) {
    paths.push_back(fmt::format("/{}", i));
    web_.put(kCrawledSite + paths.back(), {.status = 500});
  }
  put_sitemap(paths);
  options_.fetch.tries = 1;
  const PullReport report = pull();
  EXPECT_EQ(report.failure.code, FailureCode::pages_failed);
  EXPECT_NE(report.failure.message.find("10 pages in a row"), std::string::npos) << report.failure.message;
  EXPECT_LT(web_.requests().size(), 20U);
  web_.put(kCrawledSite + "/robots.txt", {.trouble = FetchTrouble::unreachable});
  EXPECT_EQ(pull().failure.code, FailureCode::unreachable);
  EXPECT_EQ(web_.requests().size(), 1U) << "without robots.txt nothing is requested";
}

TEST_F(SiteCrawls, TheSiteTemplateIsNotContent) {
  Strings paths;
  const std::string frame = "Subscribe to our letter and read about every new product that we have to sell";
  for (int i = 0; i < 40; ++i) {
    paths.push_back(fmt::format("/{}", i));
    web_.put_html(kCrawledSite + paths.back(),
                  page_html(fmt::format("Number {}", i)) + "<div><p>" + frame + ".</p></div>",
                  fmt::format("\"{}\"", i));
  }
  put_sitemap(paths);
  ASSERT_TRUE(pull().ok);
  const std::string learned = state_.site_template().value();
  EXPECT_FALSE(learned.empty());
  for (const auto& [url, json] : pages()) EXPECT_EQ(json.find(frame), std::string::npos) << url;
  web_.put_html(kCrawledSite + "/0", page_html("Number zero") + "<div><p>" + frame + ".</p></div>",
                "\"new\"");
  EXPECT_EQ(pull().crawl->changed, 1U);
  EXPECT_EQ(pages()["/0"].find(frame), std::string::npos) << "by the template of the first pull";
  EXPECT_EQ(state_.site_template(), learned);
}

TEST_F(SiteCrawls, LinksAreFollowedWhereNoSitemapNamesPages) {
  web_.put_html(kCrawledSite + "/", page_html("Home") + "<a href=/a>a</a>");
  web_.put_html(kCrawledSite + "/a", page_html("One") + "<a href=/b>b</a><a href=/private/c>c</a>");
  web_.put_html(kCrawledSite + "/b", page_html("Two") + "<a href=/>home</a>");
  web_.put(kCrawledSite + "/robots.txt", {.body = "User-agent: *\nDisallow: /private/\n"});
  ASSERT_TRUE(pull().ok);
  EXPECT_EQ(page_urls(), (Strings{"/", "/a", "/b"}));
  EXPECT_EQ(requests("/private/c"), 0U);
}

TEST_F(SiteCrawls, LinksThatRobotsTxtAllowsLaterAreFollowed) {
  web_.put_html(kCrawledSite + "/", page_html("Home") + "<a href=/private/a>a</a>", "\"h\"");
  web_.put_html(kCrawledSite + "/private/a", page_html("One"));
  web_.put(kCrawledSite + "/robots.txt", {.body = "User-agent: *\nDisallow: /private/\n"});
  ASSERT_TRUE(pull().ok);
  EXPECT_EQ(page_urls(), (Strings{"/"}));
  web_.put(kCrawledSite + "/robots.txt", {.body = "User-agent: *\n"});
  ASSERT_TRUE(pull().ok);
  EXPECT_EQ(page_urls(), (Strings{"/", "/private/a"}));
  EXPECT_EQ(pull().crawl->not_modified, 1U) << "the front page is not fetched again";
}

TEST_F(SiteCrawls, AFleetPullsWhatIsDue) {
  std::vector<base::Url> sites;
  for (const std::string host : {"https://one.example", "https://two.example", "https://gone.example"}) {
    sites.push_back(*base::Url::parse(host));
    web_.put_html(host + "/", page_html(host), "\"1\"");
    web_.put(host + "/sitemap.xml", {.body = host + "/\n"});
  }
  web_.put("https://gone.example/robots.txt", {.trouble = FetchTrouble::unresolvable_host});
  FleetJob fleet;
  fleet.pull = options_;
  fleet.once = true;
  fleet.pull.pack_threads = 0;
  fleet.sites_at_once = 1;
  fleet.downloads = folder_.path() / "files";
  auto summary = pull_many(*store_, sites, fleet);
  ASSERT_TRUE(summary) << summary.error().message;
  EXPECT_EQ(summary->pulled, 2U);
  EXPECT_EQ(summary->failed, 1U);
  web_.forget_requests();
  summary = pull_many(*store_, sites, fleet);
  EXPECT_EQ(summary->not_due, 3U);
  EXPECT_TRUE(web_.requests().empty());
  now_.seconds += 600;  // a site that failed is tried again after five minutes, the others tomorrow
  summary = pull_many(*store_, sites, fleet);
  EXPECT_EQ(summary->failed, 1U);
  EXPECT_EQ(summary->not_due, 2U);
  now_.seconds += 2 * 86'400;
  summary = pull_many(*store_, sites, fleet);
  EXPECT_EQ(summary->pulled, 2U);
}

}  // namespace
}  // namespace sheaf::pull
