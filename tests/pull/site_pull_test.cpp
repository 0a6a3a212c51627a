// A pull of a site with collections, from robots.txt to the store, over a scripted web and clock. The
// end-to-end tests in Python have real servers and the program.
#include "sheaf/pull/crawl_state.h"
#include "sheaf/pull/pull.h"
#include "sheaf/store/open/open_store.h"
#include "support/collection_text.h"
#include "support/scripted_web.h"
#include "support/temp_dir.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sheaf::pull {
namespace {

const std::string kPulledSite = "https://example.com";

class SitePulls : public testing::Test {
 protected:
  SitePulls() : store_(store::open_store((folder_.path() / "store").string(), StoreAccess::write).value()) {
    options_.fetch = web_.options();
    options_.fetch.connections = 1;
    options_.fetch.delay = std::chrono::milliseconds(0);
    options_.clock = [this] { return now_; };
  }

  static std::string page(int number) {
    test::PageText text;
    text.url = fmt::format("{}/{}", kPulledSite, number);
    return text.str();
  }
  static std::string snapshot(int pages, const std::string& generated = "2026-01-15T00:00:00Z") {
    test::HeadText head;
    head.section = "all";
    head.generated = generated;
    std::vector<std::string> lines = {head.str()};
    for (int i = 0; i < pages; ++i) lines.push_back(page(i));
    return test::with_checksum(test::join_lines(lines));
  }
  void put_sitemap(const std::string& generated = "2026-01-15T00:00:00Z", int pages = 0) {
    std::string text =
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" "
        "xmlns:scp=\"https://scp-protocol.org/schemas/sitemap/1.0\"><scp:version>0.1</scp:version>";
    text +=
        fmt::format("<scp:collection section=\"all\" type=\"snapshot\" url=\"{}/all.scp\" generated=\"{}\"/>",
                    kPulledSite, generated);
    for (int i = 0; i < pages; ++i) text += fmt::format("<url><loc>{}/{}</loc></url>", kPulledSite, i);
    web_.put(kPulledSite + "/sitemap.xml", {.body = text + "</urlset>"});
  }
  PullReport pull() {
    web_.forget_requests();
    auto report = pull_site(*store_, *base::Url::parse(kPulledSite), folder_.path() / "files", options_);
    EXPECT_TRUE(report) << report.error().message;
    return report ? std::move(*report) : PullReport{};
  }
  std::uint64_t stored(std::string_view section) {
    const auto state = store_->section(kPulledSite, section).value();
    return state ? state->pages : 0;
  }
  [[nodiscard]] std::size_t requests(const std::string& path) const { return web_.count(kPulledSite + path); }

  test::TempDir folder_;
  test::ScriptedWeb web_;
  std::unique_ptr<store::PageStore> store_;
  Instant now_{1'800'000'000, 0};
  SitePullOptions options_;
};

TEST_F(SitePulls, ACollectionIsFetchedOnce) {
  put_sitemap();
  web_.put(kPulledSite + "/all.scp", {.headers = {{"etag", "\"1\""}}, .body = snapshot(5)});
  PullReport report = pull();
  ASSERT_TRUE(report.ok) << report.failure.message;
  EXPECT_EQ(report.route, PullRoute::collections);
  EXPECT_EQ(stored("all"), 5U);
  EXPECT_EQ(report.requests, 3U);
  report = pull();
  ASSERT_TRUE(report.ok);
  EXPECT_EQ(requests("/all.scp"), 0U) << "the sitemap offers nothing newer";
}

/// A site that moves. Only its robots.txt redirects, because nothing else decides.
class MovedSites : public SitePulls {
 protected:
  void put_site(const std::string& origin, int pages) {
    std::string text = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
    for (int i = 0; i < pages; ++i) {
      text += fmt::format("<url><loc>{}/{}</loc></url>", origin, i);
      web_.put_html(fmt::format("{}/{}", origin, i),
                    fmt::format("<title>Page {0}</title><p>This is what page {0} of the site says.</p>", i));
    }
    web_.put(origin + "/robots.txt", {.body = "User-agent: *\n"});
    web_.put(origin + "/sitemap.xml", {.body = text + "</urlset>"});
  }
  void redirect(const std::string& from, const std::string& to, int status = 301) {
    for (const char* path : {"/", "/robots.txt"})
      web_.put(from + path, {.status = status, .headers = {{"location", to + path}}});
  }
  PullReport pull_from(const std::string& origin) {
    auto report = pull_site(*store_, *base::Url::parse(origin), folder_.path() / "files", options_);
    EXPECT_TRUE(report) << report.error().message;
    return report ? std::move(*report) : PullReport{};
  }
  std::size_t sections_of(const std::string& origin) { return store_->sections(origin).value().size(); }
};

TEST_F(MovedSites, TheCopyOfHttpGoesWhenThatOfHttpsIsComplete) {
  put_site("http://example.com", 3);
  ASSERT_TRUE(pull_from("http://example.com").ok);
  put_site("https://example.com", 3);
  ASSERT_TRUE(pull_from("https://example.com").ok);
  EXPECT_EQ(sections_of("http://example.com"), 1U) << "it answers as before, so it may be another site";
  redirect("http://example.com", "https://example.com", 302);
  now_.seconds += 86'400;
  ASSERT_TRUE(pull_from("https://example.com").ok);
  EXPECT_EQ(sections_of("http://example.com"), 1U) << "only for now";
  redirect("http://example.com", "https://example.com", 308);
  web_.forget_requests();
  ASSERT_TRUE(pull_from("https://example.com").ok);
  EXPECT_EQ(web_.count("http://example.com/robots.txt"), 0U) << "nothing has changed since the last pull";
  now_.seconds += 86'400;
  const PullReport report = pull_from("https://example.com");
  ASSERT_TRUE(report.ok) << report.failure.message;
  EXPECT_EQ(sections_of("http://example.com"), 0U);
  EXPECT_EQ(sections_of("https://example.com"), 1U);
  EXPECT_NE(
      std::ranges::find(report.notes, "http://example.com has moved here: its copy of 3 pages was deleted"),
      report.notes.end());
}

TEST_F(MovedSites, AnotherHostIsPulledOnlyIfTheUserSaysSo) {
  put_site("https://old.example", 3);
  ASSERT_TRUE(pull_from("https://old.example").ok);
  put_site("https://new.example", 3);
  redirect("https://old.example", "https://new.example");
  const PullReport moved = pull_from("https://old.example");
  EXPECT_EQ(moved.failure.code, FailureCode::site_moved);
  EXPECT_TRUE(moved.failure.message.contains("https://new.example")) << moved.failure.message;
  EXPECT_EQ(sections_of("https://old.example"), 1U);
  ASSERT_TRUE(pull_from("https://new.example").ok);
  EXPECT_EQ(sections_of("https://old.example"), 0U);
}

TEST_F(MovedSites, ASiteThatOthersClaimIsKept) {
  put_site("https://victim.example", 3);
  ASSERT_TRUE(pull_from("https://victim.example").ok);
  put_site("https://new.example", 3);
  redirect("https://victim.example", "https://new.example");
  EXPECT_EQ(pull_from("https://victim.example").failure.code, FailureCode::site_moved);
  put_site("https://victim.example", 3);  // it was a mistake
  ASSERT_TRUE(pull_from("https://new.example").ok);
  EXPECT_EQ(sections_of("https://victim.example"), 1U);
}

TEST_F(MovedSites, TheShrinkGuardKeepsTheLargerCopy) {
  put_site("http://example.com", 9);
  ASSERT_TRUE(pull_from("http://example.com").ok);
  put_site("https://example.com", 2);
  redirect("http://example.com", "https://example.com");
  ASSERT_TRUE(pull_from("https://example.com").ok);
  EXPECT_EQ(sections_of("http://example.com"), 1U);
  options_.shrink = format::Shrink::allow;
  ASSERT_TRUE(pull_from("https://example.com").ok);
  EXPECT_EQ(sections_of("http://example.com"), 0U);
}

TEST_F(MovedSites, AFormerCopyThatIsHeldIsKnownAfterTheNextMove) {
  put_site("http://old.example", 9);
  ASSERT_TRUE(pull_from("http://old.example").ok);
  put_site("http://new.example", 2);
  redirect("http://old.example", "http://new.example");
  EXPECT_EQ(pull_from("http://old.example").failure.code, FailureCode::site_moved);
  ASSERT_TRUE(pull_from("http://new.example").ok);
  put_site("https://new.example", 2);
  redirect("http://new.example", "https://new.example");
  ASSERT_TRUE(pull_from("https://new.example").ok);
  EXPECT_EQ(sections_of("http://new.example"), 0U);
  EXPECT_EQ(sections_of("http://old.example"), 1U);
  options_.shrink = format::Shrink::allow;
  ASSERT_TRUE(pull_from("https://new.example").ok);
  EXPECT_EQ(sections_of("http://old.example"), 0U);
}

/// A site with two sections whose page 0 cannot be read in the collections.
class UnreadablePages : public SitePulls {
 protected:
  static std::string unreadable(int number) {
    test::PageText text;
    text.url = fmt::format("{}/{}", kPulledSite, number);
    text.modified = "2026-01-10";  // no time
    return text.str();
  }
  void put_section(const std::string& section, const std::string& generated, std::vector<std::string> pages) {
    test::HeadText head;
    head.section = section;
    head.generated = generated;
    pages.insert(pages.begin(), head.str());
    web_.put(fmt::format("{}/{}.scp", kPulledSite, section), {.body = test::join_lines(pages)});
    offers_[section] = fmt::format(
        "<scp:collection section=\"{0}\" type=\"snapshot\" url=\"{1}/{0}.scp\" generated=\"{2}\"/>", section,
        kPulledSite, generated);
    std::string text =
        "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" "
        "xmlns:scp=\"https://scp-protocol.org/schemas/sitemap/1.0\"><scp:version>0.1</scp:version>";
    for (const auto& [name, offer] : offers_) text += offer;
    web_.put(kPulledSite + "/sitemap.xml", {.body = text + "</urlset>"});
  }
  void put_page(const std::string& path) {
    web_.put_html(kPulledSite + path,
                  "<title>A page</title><p>This is what the page of the site says today.</p>");
  }
  void put_sitemap_of_pages(int pages) {
    std::string text = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
    for (int i = 0; i < pages; ++i) text += fmt::format("<url><loc>{}/{}</loc></url>", kPulledSite, i);
    web_.put(kPulledSite + "/sitemap.xml", {.body = text + "</urlset>"});
  }
  [[nodiscard]] bool is_stored(std::string_view section, const std::string& path) const {
    return store_->find(kPulledSite, section, kPulledSite + path).value().has_value();
  }
  std::map<std::string, std::string> offers_;
};

TEST_F(UnreadablePages, APageThatMovesAndCannotBeReadStaysWhereItWas) {
  put_section("a", "2026-01-15T00:00:00Z", {page(0), page(1), page(2)});
  put_section("b", "2026-01-15T00:00:00Z", {page(3), page(4), page(5)});
  ASSERT_TRUE(pull().ok);
  put_section("a", "2026-01-16T00:00:00Z", {page(1), page(2)});
  put_section("b", "2026-01-16T00:00:00Z", {unreadable(0), page(3), page(4), page(5)});
  web_.put(kPulledSite + "/0", {.trouble = http::fetch::FetchTrouble::too_slow});
  const PullReport held = pull();
  EXPECT_FALSE(held.ok);
  EXPECT_TRUE(is_stored("a", "/0"));
  EXPECT_EQ(held.sections.at(0).removed, 0U);
  put_page("/0");
  const PullReport report = pull();
  EXPECT_TRUE(report.ok) << report.failure.message;
  EXPECT_FALSE(is_stored("a", "/0"));
  EXPECT_TRUE(is_stored(kHtmlSection, "/0"));
  EXPECT_EQ(report.sections.at(0).removed, 1U);
}

TEST_F(UnreadablePages, OneSectionLeavesThePagesOfOthers) {
  for (const char* path : {"/0", "/1"}) put_page(path);
  put_section("a", "2026-01-15T00:00:00Z", {unreadable(0), page(2)});
  put_section("b", "2026-01-15T00:00:00Z", {unreadable(1), page(3)});
  ASSERT_TRUE(pull().ok);
  options_.sections = {"a"};
  const PullReport report = pull();
  EXPECT_EQ(report.failure.code, FailureCode::unreadable_page) << report.failure.message;
  for (const char* path : {"/0", "/1"}) EXPECT_TRUE(is_stored(kHtmlSection, path)) << path;
}

TEST_F(UnreadablePages, ThePageThatOneRedirectsToIsKept) {
  put_section("a", "2026-01-15T00:00:00Z", {unreadable(0), page(1)});
  web_.put(kPulledSite + "/0", {.status = 301, .headers = {{"location", kPulledSite + "/zero"}}});
  web_.put(kPulledSite + "/zero",
           {.headers = {{"content-type", "text/html"}, {"etag", "\"1\""}},
            .body = "<title>A page</title><p>This is what the page of the site says.</p>"});
  ASSERT_TRUE(pull().ok);
  EXPECT_TRUE(is_stored(kHtmlSection, "/zero"));
  ASSERT_TRUE(pull().ok);
  EXPECT_TRUE(is_stored(kHtmlSection, "/zero"));
  web_.put(kPulledSite + "/zero", {.status = 404});
  EXPECT_TRUE(pull().ok);
  EXPECT_FALSE(is_stored(kHtmlSection, "/zero"));
}

TEST_F(UnreadablePages, CrawledPagesThatMayNotBeFetchedAreNotCalledCurrent) {
  for (const char* path : {"/0", "/1"}) put_page(path);
  put_sitemap_of_pages(2);
  ASSERT_TRUE(pull().ok);
  put_section("a", "2026-01-15T00:00:00Z", {page(0)});
  web_.remove(kPulledSite + "/1");
  options_.html = FetchPages::never;
  const PullReport report = pull();
  EXPECT_EQ(report.failure.code, FailureCode::no_collections) << report.failure.message;
  EXPECT_TRUE(is_stored(kHtmlSection, "/1"));
  options_.html = FetchPages::fallback;
  EXPECT_TRUE(pull().ok);
  EXPECT_FALSE(is_stored(kHtmlSection, "/1"));
}

TEST_F(UnreadablePages, CrawledPagesThatNoSectionHasStay) {
  for (const char* path : {"/0", "/1", "/2"}) put_page(path);
  put_sitemap_of_pages(3);
  ASSERT_TRUE(pull().ok);
  put_section("a", "2026-01-15T00:00:00Z", {page(0)});
  ASSERT_TRUE(pull().ok);
  EXPECT_TRUE(is_stored("a", "/0"));
  for (const char* path : {"/1", "/2"}) EXPECT_TRUE(is_stored(kHtmlSection, path)) << path;
}

/// Sections whose sitemap entries a test writes.
class OfferedSections : public SitePulls {
 protected:
  void put_file(const std::string& file, const test::HeadText& head, std::vector<std::string> pages) {
    pages.insert(pages.begin(), head.str());
    web_.put(fmt::format("{}/{}", kPulledSite, file), {.body = test::join_lines(pages)});
  }
  static std::string offer(std::string_view section, std::string_view file, std::string_view times,
                           std::string_view kind = "collection") {
    return fmt::format("<scp:{} section=\"{}\" type=\"{}\" url=\"{}/{}\" {}/>", kind, section,
                       kind == "delta" ? "delta" : "snapshot", kPulledSite, file, times);
  }
  void put_offers(const std::string& offers) {
    web_.put(
        kPulledSite + "/sitemap.xml",
        {.body = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" "
                 "xmlns:scp=\"https://scp-protocol.org/schemas/sitemap/1.0\"><scp:version>0.1</scp:version>" +
                 offers + "</urlset>"});
  }
  [[nodiscard]] bool is_stored(std::string_view section, int number) const {
    return store_->find(kPulledSite, section, fmt::format("{}/{}", kPulledSite, number)).value().has_value();
  }
  static constexpr std::string_view kFirst = "generated=\"2026-01-15T00:00:00Z\"";
  static constexpr std::string_view kSecond =
      "generated=\"2026-01-16T00:00:00Z\" since=\"2026-01-15T00:00:00Z\"";
  static constexpr std::string_view kThird =
      "generated=\"2026-01-17T00:00:00Z\" since=\"2026-01-16T00:00:00Z\"";
};

TEST_F(OfferedSections, LossesWaitForTheFilesAfterThem) {
  put_file("a1", {.section = "a"}, {page(0), page(1), page(2)});
  put_file("b1", {.section = "b"}, {page(3), page(4), page(5)});
  put_offers(offer("a", "a1", kFirst) + offer("b", "b1", kFirst));
  ASSERT_TRUE(pull().ok);
  // Page 5 moves to section a, whose newest file is a web page. The one before it removes page 0.
  put_file("a2",
           {.section = "a",
            .type = "delta",
            .generated = "2026-01-16T00:00:00Z",
            .since = "2026-01-15T00:00:00Z",
            .more = R"(,"removed":["https://example.com/0"])"},
           {});
  web_.put(kPulledSite + "/a3", {.body = "<!doctype html><p>Sign in"});
  put_file("b2", {.section = "b", .generated = "2026-01-17T00:00:00Z"}, {page(3), page(4)});
  put_offers(offer("a", "a1", kFirst) + offer("a", "a2", kSecond, "delta") +
             offer("a", "a3", kThird, "delta") + offer("b", "b2", "generated=\"2026-01-17T00:00:00Z\""));
  EXPECT_FALSE(pull().ok);
  EXPECT_TRUE(is_stored("b", 5));
  put_file(
      "a3",
      {.section = "a", .type = "delta", .generated = "2026-01-17T00:00:00Z", .since = "2026-01-16T00:00:00Z"},
      {page(5)});
  const PullReport report = pull();
  EXPECT_TRUE(report.ok) << report.failure.message;
  EXPECT_TRUE(is_stored("a", 5));
  EXPECT_FALSE(is_stored("a", 0));
  EXPECT_FALSE(is_stored("b", 5));
}

TEST_F(OfferedSections, NoindexInADeltaRemovesThePage) {
  put_file("a1", {.section = "a"}, {page(0), page(1), page(2)});
  put_offers(offer("a", "a1", kFirst));
  ASSERT_TRUE(pull().ok);
  test::PageText hidden;
  hidden.url = kPulledSite + "/1";
  hidden.more = R"(,"robots":["noindex"])";
  put_file(
      "a2",
      {.section = "a", .type = "delta", .generated = "2026-01-16T00:00:00Z", .since = "2026-01-15T00:00:00Z"},
      {hidden.str()});
  put_offers(offer("a", "a1", kFirst) + offer("a", "a2", kSecond, "delta"));
  EXPECT_TRUE(pull().ok);
  EXPECT_FALSE(is_stored("a", 1));
  EXPECT_TRUE(is_stored("a", 2));
}

TEST_F(OfferedSections, CollectionsThatDisappearAreGivenTime) {
  put_file("a1", {.section = "a"}, {page(0), page(1)});
  put_offers(offer("a", "a1", kFirst));
  ASSERT_TRUE(pull().ok);
  put_offers("");
  const PullReport report = pull();
  EXPECT_EQ(report.failure.code, FailureCode::section_withdrawn) << report.failure.message;
  EXPECT_FALSE(report.crawl);
  EXPECT_TRUE(is_stored("a", 1));
}

TEST_F(OfferedSections, ASectionThatIsNotOfferedGoesWithTheSecondPull) {
  put_file("a1", {.section = "a"}, {page(0), page(1), page(2), page(3)});
  put_file("b1", {.section = "b"}, {page(4)});
  put_offers(offer("a", "a1", kFirst) + offer("b", "b1", kFirst));
  ASSERT_TRUE(pull().ok);
  put_offers(offer("a", "a1", kFirst));
  EXPECT_EQ(pull().failure.code, FailureCode::section_withdrawn);
  EXPECT_TRUE(is_stored("b", 4));
  EXPECT_TRUE(pull().ok);
  EXPECT_FALSE(is_stored("b", 4));
}

TEST_F(OfferedSections, AHostThatIsNewToTheSiteIsNoted) {
  put_file("a1", {.section = "a"}, {page(0)});
  put_offers(offer("a", "a1", kFirst));
  ASSERT_TRUE(pull().ok);
  web_.put("https://cdn.example/a2",
           {.body = test::join_lines(
                {test::HeadText{.section = "a", .generated = "2026-01-16T00:00:00Z"}.str(), page(0)})});
  put_offers(
      "<scp:collection section=\"a\" type=\"snapshot\" url=\"https://cdn.example/a2\" "
      "generated=\"2026-01-16T00:00:00Z\"/>");
  const auto says_so = [](const PullReport& report) {
    return std::ranges::any_of(report.notes, [](const std::string& note) {
      return note.contains("the host cdn.example, which this site did not use before");
    });
  };
  EXPECT_TRUE(says_so(pull()));
  EXPECT_FALSE(says_so(pull()));
}

TEST_F(OfferedSections, AStandInStaysIfItIsNeededBesideAll) {
  web_.put(kPulledSite + "/all", {.status = 403});
  put_file("a1", {.section = "a"}, {page(0)});
  put_offers(offer("all", "all", kFirst) + offer("a", "a1", kFirst));
  pull();
  EXPECT_TRUE(is_stored("a", 0));
  put_file("all", {.section = "all"}, {page(0)});
  put_file("a2", {.section = "a", .generated = "2026-01-16T00:00:00Z"}, {page(0), page(1)});
  put_offers(offer("all", "all", kFirst) + offer("a", "a2", "generated=\"2026-01-16T00:00:00Z\""));
  EXPECT_TRUE(pull().ok);
  EXPECT_TRUE(is_stored("a", 1));
}

TEST_F(OfferedSections, PagesThatWereMissingAsHtmlComeBackWithTheCollections) {
  put_file("a1", {.section = "a"}, {page(0), page(1), page(2)});
  put_offers(offer("a", "a1", kFirst));
  ASSERT_TRUE(pull().ok);
  for (int i = 1; i < 3; ++i)
    web_.put_html(fmt::format("{}/{}", kPulledSite, i),
                  "<title>A page</title><p>This is what the page says today.</p>");
  put_offers(offer("a", "a1", kFirst) + offer("a", "a2", "", "delta"));  // nobody knows what a2 has
  for (int i = 0; i < 3; ++i) pull();
  EXPECT_FALSE(is_stored("a", 0)) << "its HTML page is 404";
  put_offers(offer("a", "a1", kFirst));
  EXPECT_TRUE(pull().ok);
  EXPECT_TRUE(is_stored("a", 0));
}

TEST_F(SitePulls, ABrokenCollectionIsReplacedByPagesAndTakesTheirPlaceWhenItIsGood) {
  put_sitemap("2026-01-15T00:00:00Z", 3);
  web_.put(kPulledSite + "/all.scp", {.body = "<!doctype html><p>An error page"});
  for (int i = 0; i < 3; ++i)
    web_.put_html(
        fmt::format("{}/{}", kPulledSite, i),
        fmt::format("<title>Page {0}</title><main><h1>Page {0}</h1><p>What page {0} says is said here, in a "
                    "sentence that is long enough.</p></main>",
                    i));
  PullReport report = pull();
  EXPECT_EQ(report.route, PullRoute::html);
  EXPECT_EQ(stored("all"), 0U);
  EXPECT_EQ(stored(kHtmlSection), 3U);
  EXPECT_EQ(requests("/sitemap.xml"), 1U) << "one reading serves collections and pages";
  put_sitemap("2026-01-16T00:00:00Z", 3);
  web_.put(kPulledSite + "/all.scp", {.body = snapshot(3, "2026-01-16T00:00:00Z")});
  report = pull();
  ASSERT_TRUE(report.ok) << report.failure.message;
  EXPECT_EQ(stored("all"), 3U);
  EXPECT_EQ(stored(kHtmlSection), 0U);
  EXPECT_FALSE(CrawlState(*store_, kPulledSite).pass().value()) << "and nothing of the crawl is left";
}

TEST_F(SitePulls, ACollectionThatFailsForAnHourIsGivenTime) {
  put_sitemap("2026-01-15T00:00:00Z", 3);
  web_.put(kPulledSite + "/all.scp", {.body = snapshot(3)});
  ASSERT_TRUE(pull().ok);
  put_sitemap("2026-01-16T00:00:00Z", 3);
  web_.put(kPulledSite + "/all.scp", {.status = 500});
  options_.fetch.tries = 1;
  const PullReport report = pull();
  EXPECT_FALSE(report.ok);
  EXPECT_EQ(report.failure.code, FailureCode::newest_unreachable) << report.failure.message;
  EXPECT_EQ(stored("all"), 3U) << "what was there stays";
  EXPECT_EQ(requests("/0"), 0U) << "and no page is fetched yet";
}

TEST_F(SitePulls, AFileOfDraft1WithoutAMetadataLineIsExplained) {
  put_sitemap();
  web_.put(kPulledSite + "/all.scp", {.body = page(1) + "\n"});
  options_.html = FetchPages::never;
  const PullReport report = pull();
  EXPECT_EQ(report.failure.code, FailureCode::invalid_collection);
  EXPECT_NE(report.failure.message.find("draft 1"), std::string::npos) << report.failure.message;
  EXPECT_NE(report.failure.message.find("sheaf convert"), std::string::npos);
}

TEST_F(SitePulls, RetryAfterHoldsForLaterPulls) {
  put_sitemap();
  web_.put(kPulledSite + "/all.scp", {.status = 503, .headers = {{"retry-after", "7200"}}});
  PullReport report = pull();
  EXPECT_FALSE(report.ok);
  ASSERT_TRUE(report.retry_after);
  EXPECT_GT(*report.retry_after, std::chrono::seconds(7000));
  EXPECT_NE(report.notes.back().find("no requests before 2027-01-15T10:"), std::string::npos)
      << report.notes.back();
  now_.seconds += 3600;
  report = pull();
  EXPECT_EQ(report.failure.code, FailureCode::retry_later) << report.failure.message;
  EXPECT_EQ(report.retry_after, std::chrono::seconds(3600));
  EXPECT_TRUE(web_.requests().empty());
  options_.ignore_retry_after = true;
  pull();
  EXPECT_EQ(requests("/all.scp"), 1U);
  options_.ignore_retry_after = false;
  now_.seconds += 7201;
  web_.put(kPulledSite + "/all.scp", {.body = snapshot(3)});
  EXPECT_TRUE(pull().ok);
  now_.seconds -= 3600;
  EXPECT_TRUE(pull().ok) << "the note is gone";
}

TEST_F(SitePulls, ARetryAfterThatAWrongClockNotedIsIgnored) {
  put_sitemap();
  web_.put(kPulledSite + "/all.scp", {.status = 503, .headers = {{"retry-after", "7200"}}});
  now_.seconds += 400 * 86'400;
  EXPECT_FALSE(pull().ok);
  now_.seconds -= 400 * 86'400;
  web_.put(kPulledSite + "/all.scp", {.body = snapshot(3)});
  const PullReport report = pull();
  EXPECT_TRUE(report.ok) << report.failure.message;
}

TEST_F(SitePulls, FetchingPagesIsTheUsersChoice) {
  web_.put_html(kPulledSite + "/", "<main><p>A page that is long enough to be content of a site.</p></main>");
  options_.html = FetchPages::never;
  EXPECT_EQ(pull().failure.code, FailureCode::no_collections);
  EXPECT_EQ(requests("/"), 0U);
  put_sitemap("2026-01-15T00:00:00Z", 1);
  options_.html = FetchPages::always;
  pull();
  EXPECT_EQ(requests("/all.scp"), 0U);
  EXPECT_EQ(requests("/0"), 1U);
}

}  // namespace
}  // namespace sheaf::pull
