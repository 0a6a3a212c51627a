#include "sheaf/traffic/traffic_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace sheaf::traffic {
namespace {

constexpr std::int64_t kNoon = 1'794'916'800;
constexpr std::string_view kSnapshot = "/scp/all-snapshot-20261115T000000Z.scp.zst";
constexpr std::string_view kDelta = "/scp/all-delta-20261116T000000Z.scp.zst";

LogEntry get(std::string_view target, std::string_view agent, unsigned status = 200,
             std::uint64_t bytes = 100) {
  return {.client = "192.0.2.1",
          .time = kNoon,
          .method = "GET",
          .target = target,
          .status = status,
          .bytes = bytes,
          .user_agent = agent};
}

LogEntry get_as(std::string_view identity, std::string_view target) {
  LogEntry entry = get(target, "Anything/1");
  entry.identity = identity;
  return entry;
}

TEST(TrafficReport, CrawlersAreToldApartByWhatTheyProveOrClaim) {
  TrafficReport report;
  report.add(get_as("https://bot.example", "/a"));
  report.add(get("/a", "Mozilla/5.0 (compatible; Examplebot/2.1; +https://e.example)"));
  report.add(get("/a", "Mozilla/5.0 (X11; Linux) Firefox/120"));
  report.add(get("/a", "curl/8.0"));
  report.add(get("/robots.txt", "Mozilla/5.0 (X11; Linux) Firefox/120"));
  const auto crawlers = report.crawlers();
  ASSERT_EQ(crawlers.size(), 5);
  EXPECT_EQ(crawlers.back().standing, ClientIdentification::other);
  EXPECT_EQ(crawlers.back().name, "browsers and others");
  const auto has = [&](std::string_view name, ClientIdentification standing) {
    return std::ranges::any_of(
        crawlers, [&](const CrawlerTraffic& each) { return each.name == name && each.standing == standing; });
  };
  EXPECT_TRUE(has("https://bot.example", ClientIdentification::verified));
  EXPECT_TRUE(has("Examplebot", ClientIdentification::claimed));
  EXPECT_TRUE(has("curl", ClientIdentification::claimed));
}

TEST(TrafficReport, AClaimCannotLookLikeAProof) {
  TrafficReport report;
  report.add(get_as("https://bot.example", "/a"));
  report.add(get("/a", "https://bot.example"));
  EXPECT_EQ(report.crawlers().size(), 2);
}

TEST(TrafficReport, SectionsAndHowCurrentTheyAre) {
  TrafficReport report;
  report.add(get(kSnapshot, "Slow/1", 200, 5000));
  report.add(get(kSnapshot, "Quick/1", 200, 5000));
  report.add(get(kDelta, "Quick/1", 200, 50));
  report.add(get(kDelta, "Quick/1", 304, 0));
  report.add(get("/scp/all-delta-20261117T000000Z.scp.zst", "Quick/1", 404, 0));
  EXPECT_EQ(report.newest().at("all"), 1'794'787'200);
  for (const CrawlerTraffic& crawler : report.crawlers()) {
    const SectionTraffic& section = crawler.sections.at("all");
    EXPECT_EQ(section.snapshots.requests, 1);
    EXPECT_EQ(section.newest == report.newest().at("all"), crawler.name == "Quick");
    if (crawler.name != "Quick") continue;
    EXPECT_EQ(section.deltas.bytes, 50);
    EXPECT_EQ(section.not_modified, 1);
    EXPECT_EQ(crawler.failed, 1);
  }
}

TEST(TrafficReport, MisuseIsNamed) {
  TrafficReport report;
  for (int i = 0; i < 3; ++i) report.add(get(kSnapshot, "Greedy/1"));
  for (int i = 0; i < 40; ++i) report.add(get("/page" + std::to_string(i), "Greedy/1", i < 30 ? 200 : 429));
  ASSERT_EQ(report.crawlers().size(), 1);
  std::string text;
  for (const std::string& fault : find_misuse(report.crawlers().front())) text += fault + "\n";
  EXPECT_TRUE(text.contains("downloaded 2 collections that it had already"));
  EXPECT_TRUE(text.contains("never requested robots.txt"));
  EXPECT_TRUE(text.contains("crawls pages although it knows the collections"));
}

TEST(TrafficReport, SavingsAreEstimatedFromThePagesOfTheSections) {
  TrafficReport report;
  report.add(get("/page", "Other/1", 200, 1000));
  report.add(get(kSnapshot, "Bot/1", 200, 5000));
  report.add(get(kDelta, "Bot/1", 304, 0));
  EXPECT_EQ(report.mean_page(), 1000);
  for (const CrawlerTraffic& crawler : report.crawlers()) {
    if (crawler.name != "Bot") continue;
    const Traffic saved = estimate_saved(crawler, {{"all", 100}}, report.mean_page());
    EXPECT_EQ(saved.requests, 198);  // two passes over 100 pages, for two requests
    EXPECT_EQ(saved.bytes, 95'000);  // 100 pages of 1,000 bytes, for 5,000
    EXPECT_EQ(estimate_saved(crawler, {}, 1000).requests, 0);
  }
}

/// A log of any length: names, sections and days that are invented do not fill the memory.
TEST(TrafficReport, MemoryIsBounded) {
  TrafficReport report({.crawlers = 10, .sections = 3, .days = 5});
  for (int i = 0; i < 1000; ++i) {
    LogEntry entry = get("/scp/s" + std::to_string(i) + "-snapshot-20261115T000000Z.scp.zst", "x");
    const std::string agent = "Bot" + std::string(static_cast<std::size_t>(i % 100) + 1, 'x') + "/1";
    const std::string target = "/scp/s" + std::to_string(i) + "-snapshot-20261115T000000Z.scp.zst";
    entry.user_agent = agent;
    entry.target = target;
    entry.time += i * 86'400;
    report.add(entry);
  }
  EXPECT_LE(report.crawlers().size(), 11);
  EXPECT_LE(report.newest().size(), 3);
  EXPECT_LE(report.days().size(), 5);
  EXPECT_EQ(report.requests(), 1000);
  std::uint64_t total = 0;
  for (const CrawlerTraffic& crawler : report.crawlers()) {
    total += crawler.total.requests;
    EXPECT_LE(crawler.sections.size(), 3);
  }
  EXPECT_EQ(total, 1000);
}

TEST(TrafficReport, BrowsersAreNotCountedAsCrawlersWhenThereAreManyCrawlers) {
  TrafficReport report({.crawlers = 2});
  for (const std::string_view agent : {"OneBot/1", "TwoBot/1", "ThreeBot/1", "FourBot/1"})
    report.add(get(kSnapshot, agent));
  report.add(get("/page.html", "Mozilla/5.0"));
  report.add(get("/page.html", "Mozilla/5.0"));
  const auto crawlers = report.crawlers();
  ASSERT_EQ(crawlers.size(), 4);
  EXPECT_EQ(crawlers.back().name, "browsers and others");
  EXPECT_EQ(crawlers.back().standing, ClientIdentification::other);
  EXPECT_EQ(crawlers.back().total.requests, 2);
}

TEST(TrafficReport, HtmlHasNoMarkupFromTheLog) {
  TrafficReport report;
  report.add(get(kSnapshot, "<script>alert(1)</script>bot"));
  report.add(get_as("\"><img src=x>", "/a"));
  const std::string html = to_html(report, {});
  EXPECT_FALSE(html.contains("<script"));
  EXPECT_FALSE(html.contains("<img"));
  EXPECT_TRUE(html.contains("<svg"));
  EXPECT_FALSE(html.contains("http-equiv") || html.contains("<link"));
}

}  // namespace
}  // namespace sheaf::traffic
