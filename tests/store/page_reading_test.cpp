#include "sheaf/store/page_store.h"
#include "store_fixture.h"

#include <string>

namespace sheaf::store {
namespace {

/// Pages by address, walks and ranges.
class PageReadingContract : public StoreContract {};
INSTANTIATE_TEST_SUITE_P(EveryStore, PageReadingContract, kEveryStore, kind_name);

TEST_P(PageReadingContract, TheNewestOfSeveralSectionsIsUsed) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  TestCollection blog{"snapshot", 100, 0, {{"a", 1}, {"b", 9}}, {}, {}};
  TestCollection all{"snapshot", 100, 0, {{"a", 2}, {"b", 8}, {"c", 1}}, {}, {}, "all"};
  ASSERT_TRUE(apply(store, blog));
  ASSERT_TRUE(apply(store, all));
  EXPECT_EQ((*store.get(TestCollection::url("a")))->section, "all");
  EXPECT_EQ((*store.get(TestCollection::url("b")))->section, "blog");
  EXPECT_EQ((*store.get(TestCollection::url("b"), kSite))->section, "blog");
  EXPECT_EQ(*store.get(TestCollection::url("b"), "https://other.example"), std::nullopt);
  EXPECT_EQ(*store.get(TestCollection::url("nobody")), std::nullopt);
  const std::string bytes = all.str();
  ApplyOptions vouched = apply_options();
  vouched.vouch = [](const base::Url&) { return true; };
  ASSERT_TRUE(store.apply("https://mirror.example", "all", base::buffer_source(bytes), vouched));
  EXPECT_EQ((*store.get(TestCollection::url("a")))->site, kSite) << "the address's own origin goes first";
  EXPECT_EQ(store.sections()->size(), 3U);
  EXPECT_EQ(store.sections(kSite)->size(), 2U);
  const FeedCursor before = *store.newest_change();
  EXPECT_EQ(*store.drop_section(kSite, "all", {1, 0}), 3U);
  const auto changes = changes_of(store, before);
  EXPECT_EQ(changes.size(), 3U) << "also a and b, which are still in blog";
  for (const StoreChange& change : changes) EXPECT_EQ(change.section, "all");
  EXPECT_EQ((*store.get(TestCollection::url("c")))->site, "https://mirror.example");
  EXPECT_EQ(*store.drop_section(kSite, "all", {1, 0}), 0U);
  EXPECT_EQ(store.gc({})->orphans, 0U);
  expect_clean(store);
}

TEST_P(PageReadingContract, WalksAreFilteredAndKeepTheOrderOfTheCollection) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  auto pages = many(300);
  for (std::size_t i = 0; i < pages.size(); ++i) pages[i].second = static_cast<std::int64_t>(i);
  ASSERT_TRUE(apply(store, {"snapshot", 1000, 0, pages, {}, {}}));
  for (const bool with_json : {true, false}) {
    PageFilter filter;
    filter.modified_since = parse_time(test::time_text(290))->instant;
    filter.with_json = with_json;
    std::vector<std::string> urls;
    ASSERT_TRUE(store.each_page(filter, [&](const StoredPage& page) -> base::Result<bool> {
      urls.push_back(page.url);
      EXPECT_EQ(page.json.empty(), !with_json);
      EXPECT_EQ(format_time(page.as_of), test::time_text(1000));
      return urls.size() < 5;
    }));
    ASSERT_EQ(urls.size(), 5U);
    for (std::size_t i = 0; i < urls.size(); ++i)
      EXPECT_EQ(urls[i], TestCollection::url("p" + std::to_string(290 + i)));
  }
  PageFilter other;
  other.section = "nobody";
  ASSERT_TRUE(store.each_page(other, [](const StoredPage&) -> base::Result<bool> {
    ADD_FAILURE();
    return true;
  }));
}

TEST_P(PageReadingContract, AWalkOverALargeSectionHasEachPageOnceAndCanStopAnywhere) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  auto pages = many(12'000);
  for (auto& page : pages) page.second = 10;
  ASSERT_TRUE(apply(store, {"snapshot", 1000, 0, pages, {}, {}}));
  // Some pages of the start of the snapshot are now in another run, and one is gone.
  for (const std::size_t changed : {0U, 7U, 2'000U, 11'999U}) pages[changed].second = 1001;
  ASSERT_TRUE(
      apply(store, {"delta", 2000, 1000, {pages[0], pages[7], pages[2'000], pages[11'999]}, {"p3"}, {}}));
  pages.erase(pages.begin() + 3);
  EXPECT_EQ(pages_of(store), expected(pages));
  for (const bool with_json : {true, false}) {
    PageFilter filter;
    filter.with_json = with_json;
    Pages all;
    ASSERT_TRUE(store.each_page(filter, [&](const StoredPage& page) -> base::Result<bool> {
      EXPECT_TRUE(all.emplace(page.url, page.modified).second) << page.url;
      return true;
    }));
    EXPECT_EQ(all, expected(pages));
    for (const std::size_t wanted : {1U, 5U, 3'000U}) {
      std::size_t seen = 0;
      ASSERT_TRUE(
          store.each_page(filter, [&](const StoredPage&) -> base::Result<bool> { return ++seen < wanted; }));
      EXPECT_EQ(seen, wanted);
    }
    filter.modified_since = parse_time(test::time_text(1001))->instant;
    std::size_t changed = 0;
    ASSERT_TRUE(
        store.each_page(filter, [&](const StoredPage&) -> base::Result<bool> { return ++changed > 0; }));
    EXPECT_EQ(changed, 4U);
  }
}

TEST_P(PageReadingContract, ManyPagesComeInTheOrderOfTheRequests) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  TestCollection blog{"snapshot", 5000, 0, {}, {}, {}};
  for (int i = 0; i < 700; ++i) blog.pages.emplace_back("p" + std::to_string(i), i);
  TestCollection news{"snapshot", 5000, 0, {{"p5", 1000}, {"p6", 1}, {"only", 2}}, {}, {}};
  news.section = "news";
  ASSERT_TRUE(apply(store, blog));
  ASSERT_TRUE(apply(store, news));
  TestCollection mirror{"snapshot", 5000, 0, {{"p7", 9000}, {"mirrored", 3}}, {}, {}};
  ApplyOptions vouched = apply_options();
  vouched.vouch = [](const base::Url&) { return true; };
  const std::string bytes = mirror.str();
  ASSERT_TRUE(store.apply("https://other.example", "blog", base::buffer_source(bytes), vouched));
  std::vector<std::string> urls{TestCollection::url("none"), TestCollection::url("only"), "not a URL",
                                TestCollection::url("mirrored")};
  for (int i = 0; i < 700; ++i) urls.push_back(TestCollection::url("p" + std::to_string(i * 37 % 700)));
  urls.push_back(urls[1]);
  for (const unsigned threads : {1U, 3U}) {
    for (const std::string& section : {std::string(), std::string("news")}) {
      for (const std::string& site : {std::string(), kSite, std::string("https://other.example")}) {
        std::size_t next = 0;
        const auto use = [&](std::size_t i, const std::optional<StoredPage>& page) -> base::Result<void> {
          EXPECT_EQ(i, next++);
          const auto one = section.empty() ? store.get(urls[i], site) : store.get(site, section, urls[i]);
          EXPECT_TRUE(one);
          if (!section.empty() && site.empty()) return {};
          EXPECT_EQ(page.has_value(), one->has_value()) << urls[i];
          if (page && *one) {
            EXPECT_EQ(page->json, (*one)->json);
            EXPECT_EQ(page->section, (*one)->section);
            EXPECT_EQ(page->site, (*one)->site);
            EXPECT_EQ(page->modified, (*one)->modified);
            EXPECT_EQ(page->url, urls[i]);
          }
          return {};
        };
        const auto got = store.get_many({urls, site, section, threads}, use);
        EXPECT_TRUE(got) << got.error().message;
        EXPECT_EQ(next, urls.size());
      }
    }
  }
}

std::vector<std::string> read_ranges(const PageStore& store, const PageFilter& filter, unsigned threads) {
  std::vector<std::string> read;
  const auto ranges = store.page_ranges(filter, threads);
  while (true) {
    const auto range = ranges->next();
    EXPECT_TRUE(range) << range.error().message;
    if (!range || !*range) return read;
    const auto use = [&](const StoredPage& page) -> base::Result<void> {
      read.push_back(page.section + page.url + page.json);
      return {};
    };
    EXPECT_TRUE((*range)->read(use, [](const std::string& sentence) { ADD_FAILURE() << sentence; }));
  }
}

TEST_P(PageReadingContract, RangesTogetherHaveThePagesOfAWalk) {
  const StorePlace dir(GetParam());
  const auto store_owner = must_open(dir / "store");
  PageStore& store = *store_owner;
  TestCollection blog{"snapshot", 100, 0, {}, {}, {}};
  for (int i = 0; i < 40; ++i) blog.pages.emplace_back("p" + std::to_string(i), i);
  blog.text = std::string(200'000, 'x');  // more than one range
  TestCollection news{"snapshot", 100, 0, {{"a", 1}}, {}, {}};
  news.section = "news";
  ASSERT_TRUE(apply(store, blog));
  ASSERT_TRUE(apply(store, news));
  PageFilter later;
  later.site = kSite;
  later.section = "blog";
  later.modified_since = parse_time(test::time_text(35))->instant;
  PageFilter none;
  none.section = "none";
  for (const PageFilter& filter : {PageFilter(), later, none}) {
    std::vector<std::string> walked;
    ASSERT_TRUE(store.each_page(filter, [&](const StoredPage& page) -> base::Result<bool> {
      walked.push_back(page.section + page.url + page.json);
      return true;
    }));
    EXPECT_EQ(read_ranges(store, filter, 2), walked);
  }
}

TEST_P(PageReadingContract, TheIndexOfManyPagesIsReadByAnyNumberOfThreads) {
  const StorePlace dir(GetParam());
  const auto store = must_open(dir / "store");
  TestCollection blog{"snapshot", 100, 0, {}, {}, {}};
  for (int i = 0; i < 10'500; ++i) blog.pages.emplace_back("p" + std::to_string(i), 1);
  ASSERT_TRUE(apply(*store, blog));
  const auto read = read_ranges(*store, {}, 1);
  EXPECT_EQ(read.size(), blog.pages.size());
  for (const unsigned threads : {0U, 3U}) EXPECT_EQ(read_ranges(*store, {}, threads), read);
}

}  // namespace
}  // namespace sheaf::store
