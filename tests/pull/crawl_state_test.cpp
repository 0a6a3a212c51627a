#include "sheaf/pull/crawl_state.h"

#include "sheaf/base/hex.h"
#include "sheaf/base/record.h"
#include "sheaf/store/open/open_store.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

namespace sheaf::pull {
namespace {

constexpr Instant kFetchTime{1'800'000'000, 0};

CrawledUrl fetched_url(std::int64_t days_ago) {
  CrawledUrl url;
  url.record.url = url.record.final_url = "https://example.com/a";
  url.record.fate = crawl::PageOutcome::stored;
  url.record.fetched = {kFetchTime.seconds - days_ago * 86'400, 0};
  url.record.validators = {"\"x\"", ""};
  return url;
}

TEST(CrawlStateRecords, ComeBackAsTheyWere) {
  CrawledUrl url = fetched_url(1);
  url.listed = 7;
  url.visited = 6;
  url.record.lastmod = Instant{-5, 123'456'789};
  url.record.validators = {"\"x\"", "Sun, 06 Nov 1994 08:49:37 GMT"};
  url.fingerprint = {1, 2, 3};
  url.modified = "2026-01-01T00:00:00Z";
  EXPECT_EQ(decode_crawled_url(encode(url)), url);
  EXPECT_EQ(decode_crawled_url(encode(CrawledUrl{})), CrawledUrl{});
  url.record.fate = crawl::PageOutcome::duplicate;
  url.record.final_url = "https://example.com/b";
  EXPECT_EQ(decode_crawled_url(encode(url)), url);
  const CrawlPass pass{.number = 3, .listed = true, .ended = false, .section = "html-2", .failed = 4};
  EXPECT_EQ(decode_crawl_pass(encode(pass)), pass);
  const RobotsCopy robots{{"\"r\"", ""}, "User-agent: *\n"};
  EXPECT_EQ(decode_robots_copy(encode(robots)), robots);
}

// A change of these bytes needs another version, so that other versions do not misread them.
TEST(CrawlStateRecords, TheFormatOnDiskIsUnchanged) {
  CrawledUrl url = fetched_url(0);
  url.record.url = url.record.final_url = "u";
  url.record.lastmod = Instant{1, 0};
  url.listed = 2;
  url.visited = 1;
  url.modified = "m";
  const std::string bytes = encode(url);
  const std::span<const std::uint8_t> view(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  EXPECT_EQ(base::to_hex(view),
            "0201750102010102000080c8ceb40d00032278220000000000000000000000000000000000016d000100");
}

TEST(CrawlStateRecords, WhatThePageShowedIsKept) {
  CrawledUrl url;
  url.record.url = "https://site.example/page";
  url.shown_chars = 1234;
  url.has_own_title = false;
  EXPECT_EQ(decode_crawled_url(encode(url)), url);
}

TEST(CrawlStateRecords, DamageIsDetected) {
  const std::string bytes = encode(fetched_url(1));
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decode_crawled_url(std::string_view(bytes).substr(0, size))) << size;
  EXPECT_FALSE(decode_crawled_url(bytes + "x"));
  std::string version = bytes;
  version[0] = 9;
  EXPECT_FALSE(decode_crawled_url(version));
}

TEST(CrawlStateRecords, ValidatorsThatCannotBeSentAreDropped) {
  std::string bytes = encode(fetched_url(1));
  bytes.replace(bytes.find("\"x\""), 3, "\"\001\"");
  const auto url = decode_crawled_url(bytes);
  ASSERT_TRUE(url);
  EXPECT_TRUE(url->record.validators.empty());
  EXPECT_EQ(crawl::choose_visit(crawl::last_visit(url->record), kFetchTime), crawl::Visit::fetch);
}

TEST(CrawlStateRecords, AreWrittenWithAnEditAndReadBack) {
  const test::TempDir folder;
  const auto opened = store::open_store(folder.path().string(), StoreAccess::write).value();
  store::PageStore& store = *opened;
  const CrawlState state(store, "https://example.com");
  EXPECT_FALSE(state.pass().value());
  EXPECT_EQ(state.url("https://example.com/a")->record.fate, crawl::PageOutcome::unknown);
  store::SectionEdit edit("https://example.com", kHtmlSection);
  CrawledUrl longest = fetched_url(2);
  longest.record.url = longest.record.final_url = "https://example.com/" + std::string(100'000, 'x');
  CrawlState::put(edit, fetched_url(1));
  CrawlState::put(edit, longest);
  CrawlState::put(edit, CrawlPass{.number = 2});
  CrawlState::put(edit, RobotsCopy{{}, "text"});
  CrawlState::put_template(edit, "template");
  ASSERT_TRUE(store.commit(edit));
  EXPECT_EQ(state.url("https://example.com/a"), fetched_url(1));
  EXPECT_EQ(state.pass().value()->number, 2U);
  EXPECT_EQ(state.site_template(), "template");
  std::size_t urls = 0;
  ASSERT_TRUE(state.each_url([&](const CrawledUrl&) { return ++urls > 0; }));
  EXPECT_EQ(urls, 2U);
  CrawlState::remove_crawl(edit);
  ASSERT_TRUE(store.commit(edit));
  EXPECT_FALSE(state.pass().value());
  EXPECT_EQ(state.site_template(), "");
  EXPECT_EQ(state.url("https://example.com/a")->record.fate, crawl::PageOutcome::unknown);
  EXPECT_EQ(state.robots().value()->body, "text") << "robots.txt is not part of the crawl";
}

}  // namespace
}  // namespace sheaf::pull
