#include "sheaf/grep/page_search.h"

#include "store/store_fixture.h"
#include "support/collection_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::grep {
namespace {

using store::apply;
using store::TestCollection;

/// What a search gave.
struct SearchResult {
  std::vector<std::string> urls;
  std::vector<std::string> sections;
  std::vector<std::string> damage;
  std::string error;
};

SearchOptions search_for(const std::string& pattern, unsigned threads = 2) {
  SearchOptions options;
  options.pattern.text = pattern;
  options.threads = threads;
  return options;
}

template <class Search>
SearchResult run_search(SearchOptions options, const Search& search, std::size_t wanted = SIZE_MAX) {
  SearchResult result;
  options.on_damage = [&](const std::string& sentence) { result.damage.push_back(sentence); };
  const auto searched = search(options, [&](const PageMatches& page) -> base::Result<bool> {
    result.urls.push_back(page.url.substr(page.url.rfind('/') + 1));
    result.sections.push_back(page.site + " " + page.section);
    return result.urls.size() < wanted;
  });
  if (!searched) result.error = searched.error().message;
  return result;
}

SearchResult in_store(const store::PageStore& store, const SearchOptions& options,
                      std::size_t wanted = SIZE_MAX) {
  return run_search(
      options,
      [&](const SearchOptions& given, const MatchUse& use) { return search_store(store, given, use); },
      wanted);
}

SearchResult in_text(std::string_view bytes, const SearchOptions& options, std::size_t wanted = SIZE_MAX) {
  return run_search(
      options,
      [&](const SearchOptions& given, const MatchUse& use) {
        return search_collection(base::buffer_source(bytes, "pages.scp"), given, use);
      },
      wanted);
}

std::string page_line(const std::string& name, const std::string& text, const std::string& language = "en") {
  test::PageText page;
  page.language = language;
  page.url = "https://example.com/" + name;
  page.content = R"([{"type":"text","text":")" + text + "\"}]";
  return page.str();
}

using Names = std::vector<std::string>;

TEST(PageSearchThreads, AStoreGivesTheSameForAnyNumberOfThreads) {
  const test::TempDir dir;
  const auto store = store::must_open(dir / "store");
  TestCollection collection{"snapshot", 1000, 0, {}, {}, {}};
  for (int i = 0; i < 3000; ++i) collection.pages.emplace_back(fmt::format("p{:04}", i), i);
  collection.text = std::string(3000, 'x') + " words";  // several ranges
  ASSERT_TRUE(apply(*store, collection));
  const SearchResult one = in_store(*store, search_for("x words$", 1));
  EXPECT_EQ(one.urls.size(), 3000U);
  EXPECT_TRUE(std::ranges::is_sorted(one.urls));
  EXPECT_EQ(in_store(*store, search_for("x words$", 4)).urls, one.urls);
  EXPECT_TRUE(in_store(*store, search_for("y words")).urls.empty());
  const SearchResult some = in_store(*store, search_for("words", 3), 5);
  EXPECT_EQ(some.urls, (Names{"p0000", "p0001", "p0002", "p0003", "p0004"}));
  SearchOptions later = search_for("words");
  later.filter.since = parse_time(test::time_text(2998))->instant;
  EXPECT_EQ(in_store(*store, later).urls, (Names{"p2998", "p2999"}));
  SearchOptions chosen = search_for("words");
  chosen.filter.url = "*p12?5";
  EXPECT_TRUE(in_store(*store, chosen).urls.empty());
  chosen.filter.url = "*/p1235";
  EXPECT_EQ(in_store(*store, chosen).urls, Names{"p1235"});
  chosen.filter.language = "de";
  EXPECT_TRUE(in_store(*store, chosen).urls.empty());
}

TEST(PageSearch, OfSeveralSectionsTheNewestVersionIsSearched) {
  const test::TempDir dir;
  const auto store = store::must_open(dir / "store");
  TestCollection blog{"snapshot", 100, 0, {{"a", 1}, {"b", 2}}, {}, {}};
  TestCollection news{"snapshot", 100, 0, {{"a", 5}, {"c", 3}}, {}, {}};
  news.section = "news";
  ASSERT_TRUE(apply(*store, blog));
  ASSERT_TRUE(apply(*store, news));
  const SearchResult all = in_store(*store, search_for("ok"));
  EXPECT_EQ(all.urls, (Names{"b", "a", "c"}));
  EXPECT_EQ(all.sections,
            (Names{"https://example.com blog", "https://example.com news", "https://example.com news"}));
  SearchOptions old = search_for("ok");
  old.filter.section = "blog";
  EXPECT_EQ(in_store(*store, old).urls, (Names{"a", "b"}));
  old.filter.site = "https://other.example";
  EXPECT_TRUE(in_store(*store, old).urls.empty());
}

TEST(PageSearchThreads, CollectionsOfEveryKind) {
  std::vector<std::string> pages;
  for (int i = 0; i < 5000; ++i)
    pages.push_back(
        page_line(fmt::format("p{}", i), std::string(500, 'y') + (i % 1000 == 7 ? " apple" : "")));
  const std::string headless = test::join_lines(pages);
  const std::string whole = test::collection_text(pages);
  const Names expected{"p7", "p1007", "p2007", "p3007", "p4007"};
  for (const unsigned threads : {1U, 3U}) {
    SearchOptions options = search_for("appl[e]$", threads);
    options.limits.ratio = 100'000;
    EXPECT_EQ(in_text(headless, options).urls, expected);
    EXPECT_EQ(in_text(whole, options).urls, expected);
    EXPECT_EQ(in_text("\xef\xbb\xbf\n \r\n" + whole, options).urls, expected);
    EXPECT_EQ(in_text(whole.substr(0, whole.size() - 1), options).urls,
              expected);  // without a last line feed
    for (const auto codec : {format::Codec::gzip, format::Codec::zstd})
      EXPECT_EQ(in_text(test::compress(codec, whole), options).urls, expected);
  }
  EXPECT_EQ(in_text(whole, search_for("y+"), 2).urls, (Names{"p0", "p1"}));
  EXPECT_EQ(in_text(whole, search_for("y+")).urls.size(), 5000U);
  EXPECT_EQ(in_text(whole, search_for("apple")).sections.front(), " blog");
}

TEST(PageSearch, FiltersOfFiles) {
  const std::string text = test::collection_text(
      {page_line("a", "word"), page_line("b", "word", "de"),
       R"({"url":"https://other.example/c","title":"C","description":"","modified":"2027-01-01T00:00:00Z",)"
       R"("language":"en","content":[{"type":"text","text":"word"}]})"});
  SearchOptions options = search_for("word");
  options.filter.site = "https://other.example";
  EXPECT_EQ(in_text(text, options).urls, Names{"c"});
  options.filter = {};
  options.filter.since = parse_time("2026-06-01T00:00:00Z")->instant;
  EXPECT_EQ(in_text(text, options).urls, Names{"c"});
  options.filter = {};
  options.filter.until = parse_time("2026-06-01T00:00:00Z")->instant;
  options.filter.url = "*/a";
  EXPECT_EQ(in_text(text, options).urls, Names{"a"});
  options.filter = {};
  options.filter.language = "de";
  EXPECT_EQ(in_text(text, options).urls, Names{"b"});
  options.filter = {};
  options.filter.section = "news";
  EXPECT_TRUE(in_text(text, options).urls.empty());
}

TEST(PageSearch, TheMetadataLineIsNotSearched) {
  EXPECT_TRUE(
      in_text(test::collection_text({page_line("a", "words")}), search_for("collection|blog")).urls.empty());
}

TEST(PageSearch, DamageIsReportedAndTheRestSearched) {
  const std::string text = test::join_lines({page_line("a", "word"), "{\"word\":", page_line("b", "word"), "",
                                             "[\"word\"]", page_line("c", "word")});
  const SearchResult found = in_text(text, search_for("word"));
  EXPECT_EQ(found.urls, (Names{"a", "b", "c"}));
  ASSERT_EQ(found.damage.size(), 2U);
  EXPECT_TRUE(found.damage[0].starts_with("pages.scp: line 2 is not a valid page: ")) << found.damage[0];
  EXPECT_TRUE(found.damage[1].starts_with("pages.scp: line 5 is not a valid page: ")) << found.damage[1];
  EXPECT_EQ(found.error, "");
}

TEST(PageSearch, LongLinesAreSkipped) {
  SearchOptions options = search_for("word");
  options.limits.page_bytes = 1000;
  const std::string text = test::join_lines(
      {page_line("a", "word"), page_line("b", std::string(5'000'000, 'x') + "word"), page_line("c", "word")});
  const SearchResult found = in_text(text, options);
  EXPECT_EQ(found.urls, (Names{"a", "c"}));
  EXPECT_EQ(found.damage, Names{"pages.scp: line 2 is over the limit of 1,000 bytes and was not searched"});
}

TEST(PageSearch, FilesThatCannotBeRead) {
  const std::string packed =
      test::compress(format::Codec::zstd, test::collection_text({page_line("a", "word")}));
  EXPECT_NE(in_text(packed.substr(0, packed.size() - 5), search_for("word")).error.find("pages.scp: "),
            std::string::npos);
  EXPECT_NE(in_text("not JSON\n", search_for("word")).error.find("pages.scp: "), std::string::npos);
  EXPECT_EQ(in_text("", search_for("word")).error, "");
  EXPECT_NE(in_text("{}", search_for("(")).error.find("not a valid regular expression"), std::string::npos);
}

}  // namespace
}  // namespace sheaf::grep
