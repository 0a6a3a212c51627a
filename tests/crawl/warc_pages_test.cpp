#include "sheaf/crawl/warc_pages.h"

#include "warc/warc_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace sheaf::crawl {
namespace {

std::string capture(std::string_view url, std::string_view date, std::string_view body) {
  const std::string block =
      fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nETag: \"1\"\r\n\r\n{}", body);
  return fmt::format(
      "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {}\r\nWARC-Date: {}\r\nContent-Type: "
      "application/http\r\nContent-Length: {}\r\n\r\n{}\r\n\r\n",
      url, date, block.size(), block);
}

Instant time_of(std::string_view text) { return parse_time(text)->instant; }

/// Everything that comes out.
std::vector<ArchivedPage> take_all(WarcPages& pages) {
  EXPECT_TRUE(pages.sort());
  std::vector<ArchivedPage> found;
  while (true) {
    auto page = pages.next();
    EXPECT_TRUE(page);
    if (!page || !*page) return found;
    found.push_back(std::move(**page));
  }
}

void add(WarcPages& pages, std::string_view bytes) {
  const auto source = base::buffer_source(bytes);
  ASSERT_TRUE(pages.add(*source));
}

// Far more than the memory, in files that have the captures in any order.
TEST(WarcPages, TheNewestCaptureOfEachUrlSiteBySite) {
  WarcPages pages({.memory = 4096, .now = time_of("2026-12-01T00:00:00Z")});
  std::map<std::string, std::string> newest;
  for (int day = 28; day > 0; day -= 3)
    for (int number = 0; number < 40; ++number) {
      const int hour = (day * 7 + number * 11) % 24;
      const std::string url =
          fmt::format("https://{}.example/{}", number % 3 == 0 ? "pears" : "apples", number);
      const std::string date = fmt::format("2026-05-{:02}T{:02}:00:00Z", 1 + (day * number) % 28, hour);
      add(pages, capture(url, date, "<p>" + date));
      newest[url] = std::max(newest[url], date);
    }
  const auto found = take_all(pages);
  EXPECT_EQ(found.size(), newest.size());
  EXPECT_EQ(pages.counts().pages, pages.counts().repeated + newest.size());
  std::set<std::string> sites;
  std::string last;
  for (const ArchivedPage& page : found) {
    EXPECT_EQ(page.visit.body, "<p>" + newest.at(page.visit.request.url));
    EXPECT_EQ(page.date, time_of(newest.at(page.visit.request.url)));
    EXPECT_EQ(page.visit.validators.etag(), "\"1\"");
    if (page.site != last) {
      EXPECT_TRUE(sites.insert(page.site).second) << "the pages of a site come together";
    }
    last = page.site;
  }
  EXPECT_EQ(sites, (std::set<std::string>{"apples.example", "pears.example"}));
}

TEST(WarcPages, DatesOfTheFutureAndWithoutOne) {
  WarcPages pages({.now = time_of("2026-06-01T00:00:00Z")});
  add(pages, capture("https://a.example/1", "2099-01-01T00:00:00Z", "<p>x") +
                 capture("https://a.example/2", "yesterday", "<p>x"));
  for (const ArchivedPage& page : take_all(pages)) EXPECT_EQ(page.date, time_of("2026-06-01T00:00:00Z"));
}

TEST(WarcPages, TheOriginWithMostPagesNamesTheSite) {
  WarcPages pages({.now = time_of("2026-06-01T00:00:00Z")});
  constexpr std::string_view kDate = "2026-05-01T00:00:00Z";
  add(pages, capture("http://a.example/", kDate, "<p>x") + capture("https://www.a.example/1", kDate, "<p>x") +
                 capture("https://www.a.example/2", kDate, "<p>x") +
                 capture("http://b.example/", kDate, "<p>x") + capture("https://b.example/", kDate, "<p>x"));
  EXPECT_EQ(pages.sites(), 2U);
  EXPECT_EQ(pages.origin_of("a.example"), "https://www.a.example");
  EXPECT_EQ(pages.origin_of("b.example"), "https://b.example") << "as many of each";
}

TEST(WarcPages, PagesOverTheLimitAndFilesWithoutRecords) {
  std::vector<std::string> faults;
  WarcPages pages({.page_bytes = 100,
                   .now = time_of("2026-06-01T00:00:00Z"),
                   .on_fault = [&](const std::string& sentence) { faults.push_back(sentence); }});
  add(pages, capture("https://a.example/1", "2026-05-01T00:00:00Z", "<p>" + std::string(200, 'x')) +
                 capture("https://a.example/2", "2026-05-01T00:00:00Z", "<p>x"));
  EXPECT_EQ(take_all(pages).size(), 1U);
  EXPECT_EQ(pages.counts().unreadable, 1U);
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_NE(faults.front().find("https://a.example/1"), std::string::npos);
  const auto source = base::buffer_source("nothing");
  EXPECT_FALSE(WarcPages({}).add(*source));
}

}  // namespace
}  // namespace sheaf::crawl
