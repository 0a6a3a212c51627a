#include "sheaf/compare/comparison.h"

#include "sheaf/compare/compare_site.h"
#include "support/scripted_web.h"
#include "support/temp_dir.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace sheaf::compare {
namespace {

Comparison some_comparison() {
  Comparison comparison;
  comparison.site = "https://<b>.example/";
  comparison.pages = comparison.sampled = 100;
  comparison.crawl = {.first_bytes = 1000,
                      .update_bytes = 1000,
                      .first_requests = 102,
                      .update_requests = 102,
                      .parse_nanoseconds = 5'000'000};
  comparison.collections = {.first_bytes = 600,
                            .update_bytes = 50,
                            .first_requests = 3,
                            .update_requests = 3,
                            .parse_nanoseconds = 400'000};
  return comparison;
}

TEST(Comparisons, PromisesAreJudged) {
  const auto promises = judge_promises(some_comparison());
  EXPECT_DOUBLE_EQ(promises[0].saved(), 40);
  EXPECT_FALSE(promises[0].is_met());
  EXPECT_TRUE(promises[1].is_met());
  EXPECT_NEAR(promises[2].saved(), 97.06, 0.01);
  EXPECT_NEAR(promises[3].saved(), 92, 0.01);
}

// Each page takes a minute, always fast enough for a transfer.
TEST(Comparisons, ASlowSiteIsMeasuredByFewerPages) {
  test::ScriptedWeb web;
  std::string sitemap = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
  for (int i = 0; i < 40; ++i) sitemap += fmt::format("<url><loc>https://slow.example/{}</loc></url>", i);
  web.put("https://slow.example/robots.txt", {.body = "Sitemap: https://slow.example/sitemap.xml\n"});
  web.put("https://slow.example/sitemap.xml", {.body = sitemap + "</urlset>"});
  web.on_any([&](const test::SentRequest&) {
    web.clock().sleep(std::chrono::minutes(1));
    return test::ScriptedResponse{.headers = {{"content-type", "text/html"}},
                                  .body = "<title>T</title><main><p>Some words on a page.</p></main>"};
  });
  CompareOptions options;
  options.fetch = web.options();
  options.max_time = std::chrono::minutes(5);
  const auto comparison = compare_live_site(*base::Url::parse("https://slow.example/"), options);
  ASSERT_TRUE(comparison) << comparison.error().message;
  EXPECT_LE(web.clock().elapsed(), std::chrono::minutes(7));
  EXPECT_LT(comparison->sampled, 10U);
  ASSERT_FALSE(comparison->notes.empty());
  EXPECT_TRUE(comparison->notes.back().starts_with("the time limit of 300 seconds is reached"));
  web.on("https://slow.example/robots.txt", [&](const test::SentRequest&) {
    web.clock().sleep(std::chrono::minutes(10));
    return test::ScriptedResponse{.trouble = http::fetch::FetchTrouble::cancelled};
  });
  const auto none = compare_live_site(*base::Url::parse("https://slow.example/"), options);
  ASSERT_FALSE(none);
  EXPECT_TRUE(none.error().message.contains("within 300 seconds (--max-time)")) << none.error().message;
}

TEST(Comparisons, ExtrapolationIsMarked) {
  Comparison comparison = some_comparison();
  extrapolate(comparison, 1000);
  EXPECT_EQ(comparison.crawl.first_bytes, 10'000U);
  EXPECT_EQ(comparison.crawl.first_requests, 1002U);
  EXPECT_EQ(comparison.collections.first_requests, 3U);
  EXPECT_TRUE(comparison.is_extrapolated());
  EXPECT_TRUE(describe_comparison(comparison).contains("100 pages measured of 1,000; sums are extrapolated"));
  EXPECT_TRUE(comparison_as_json(comparison).contains("\"extrapolated\":true"));
  EXPECT_TRUE(comparison_as_html(comparison).contains("first visit (extrapolated)"));
}

TEST(Comparisons, PagesThatAreSkippedInTheSampleAreSkippedInTheExtrapolation) {
  Comparison comparison = some_comparison();
  comparison.skipped = 100;
  extrapolate(comparison, 10'000);
  EXPECT_EQ(comparison.pages, 5'000U);
  EXPECT_EQ(comparison.crawl.first_bytes, 50'000U);
  EXPECT_EQ(comparison.crawl.first_requests, 5'002U);
}

TEST(Comparisons, ASampleOfEveryListedPageIsNotExtrapolated) {
  Comparison comparison = some_comparison();
  comparison.skipped = 50;
  extrapolate(comparison, 150);
  EXPECT_EQ(comparison.pages, 100U);
  EXPECT_EQ(comparison.crawl.first_bytes, 1'000U);
  EXPECT_FALSE(comparison.is_extrapolated());
}

TEST(Comparisons, TheHtmlPageIsSelfContainedAndEscaped) {
  const std::string html = comparison_as_html(some_comparison());
  EXPECT_TRUE(html.contains("https://&lt;b&gt;.example/"));
  EXPECT_FALSE(html.contains("<b>.example"));
  EXPECT_FALSE(html.contains("src=") || html.contains("<script") || html.contains("href="));
  EXPECT_TRUE(html.contains("<svg"));
}

TEST(Comparisons, AFolderIsMeasured) {
  const test::TempDir dir;
  for (int i = 0; i < 40; ++i)
    dir.write(
        fmt::format("page{}.html", i),
        fmt::format("<!doctype html><html lang=en><title>Page {0}</title><nav>{1}</nav><main><h1>Page "
                    "{0}</h1><p>{2}</p></main>",
                    i, std::string(2000, 'n'),
                    fmt::format("A sentence about number {} that is long enough to count. ", i * 7919)));
  dir.write("hidden.html",
            "<html lang=en><meta name=robots content=noindex><title>x</title><main><p>A sentence that is "
            "long enough.</p></main>");
  const auto comparison = compare_folder(dir.path(), *base::Url::parse("https://a.example/"), {});
  ASSERT_TRUE(comparison) << comparison.error().message;
  EXPECT_EQ(comparison->pages, 40U);
  EXPECT_EQ(comparison->skipped, 1U);
  EXPECT_FALSE(comparison->is_extrapolated());
  EXPECT_EQ(comparison->crawl.first_requests, 42U);
  EXPECT_GT(comparison->crawl.first_bytes, comparison->collections.first_bytes);
  EXPECT_GT(comparison->collections.first_bytes, comparison->collections.update_bytes);
  EXPECT_GT(comparison->crawl.parse_nanoseconds, 0U);
  EXPECT_DOUBLE_EQ(comparison->changed_share, 0.01);
}

/// As on a live site. The start of a page says nothing about its size.
TEST(Comparisons, APageOverTheLimitIsSkipped) {
  const test::TempDir dir;
  dir.write("a.html", "<html lang=en><title>A</title><p>Some words of the page.");
  dir.write("b.html", "<html lang=en><title>B</title><p>Words." + std::string(std::size_t{33} << 20U, '\n'));
  const auto comparison = compare_folder(dir.path(), *base::Url::parse("https://a.example/"), {});
  ASSERT_TRUE(comparison) << comparison.error().message;
  EXPECT_EQ(comparison->skipped, 1U);
}

TEST(Comparisons, AFolderWithoutPagesIsAnError) {
  const test::TempDir dir;
  const auto comparison = compare_folder(dir.path(), *base::Url::parse("https://a.example/"), {});
  ASSERT_FALSE(comparison);
  EXPECT_TRUE(comparison.error().message.contains("no page to measure"));
}

}  // namespace
}  // namespace sheaf::compare
