#include "sheaf/search/page_matcher.h"

#include "sheaf/search/prepared_search.h"
#include "sheaf/search/word_suggestion.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::search {
namespace {

const std::vector<std::string> kLanguages{"en", "de"};

MatchPlan plan_of(std::string_view query) {
  static StemmerSet stemmers;
  auto parsed = parse_query(query);
  EXPECT_TRUE(parsed) << query;
  return make_match_plan(parsed.value_or(SearchQuery{}), kLanguages, stemmers);
}

class MatchedPage : public testing::Test {
 protected:
  MatchedPage() {
    page_.url = "https://shop.example/handbook/opening-hours";
    page_.title = "Store configuration";
    page_.description = "About settings.";
    page_.language = "en";
    page_.content = std::span<const Block>(blocks_);
  }

  bool matches(std::string_view query) { return PageMatcher()(plan_of(query), page_); }
  Snippet snippet(std::string_view query) { return SnippetMaker()(plan_of(query), page_); }

  const std::vector<Block> blocks_{
      {HeadingBlock{1, "Files"}, {}},
      {TextBlock{"Set max_open_files before the server starts."}, {}},
      {HeadingBlock{2, "Limits of files"}, {}},
      {TextBlock{"The operating system limits what a process opens. See os.path.join and HttpServer."}, {}},
      {HeadingBlock{1, "Cities"}, {}},
      {TextBlock{"\u6771\u4eac\u90fd Caf\u00e9 M\u00fcnchen"}, {}}};
  Page page_;
};

TEST_F(MatchedPage, WordsAndForms) {
  EXPECT_TRUE(matches("configure"));
  EXPECT_TRUE(matches("SERVERS started"));
  EXPECT_FALSE(matches("server missing"));
  EXPECT_TRUE(matches("missing OR server"));
  EXPECT_FALSE(matches("server -files"));
  EXPECT_TRUE(matches("cafe munchen"));
  EXPECT_TRUE(matches("\u6771\u4eac"));
  EXPECT_TRUE(matches("\u4eac"));
  EXPECT_FALSE(matches("\u5927"));
  EXPECT_TRUE(matches("handbook"));  // of the URL
}

TEST_F(MatchedPage, Identifiers) {
  EXPECT_TRUE(matches("max_open_files"));
  EXPECT_TRUE(matches("max-open-files"));
  EXPECT_TRUE(matches("httpserver"));
  EXPECT_TRUE(matches("os.path"));  // by its parts
  EXPECT_FALSE(matches("max_closed_files"));
}

TEST_F(MatchedPage, PrefixesAndTitles) {
  EXPECT_TRUE(matches("oper*"));
  EXPECT_TRUE(matches("configuration*"));
  EXPECT_TRUE(matches("max_op*"));
  EXPECT_FALSE(matches("zz*"));
  EXPECT_TRUE(matches("title:store"));
  EXPECT_FALSE(matches("title:server"));
  EXPECT_TRUE(matches("title:\"store configuration\""));
}

TEST_F(MatchedPage, Phrases) {
  EXPECT_TRUE(matches("\"operating systems\""));
  EXPECT_FALSE(matches("\"system operating\""));
  EXPECT_TRUE(matches("\"open files before\""));  // inside of an identifier and behind it
  EXPECT_FALSE(matches("\"starts limits\""));     // not across blocks
  EXPECT_FALSE(matches("server -\"operating system\""));
  EXPECT_TRUE(matches("\"no such thing\" OR server"));
  EXPECT_TRUE(matches("\"\u4eac\u90fd\""));
}

TEST_F(MatchedPage, SnippetIsWhereMostWordsAre) {
  const Snippet found = snippet("process limits");
  EXPECT_EQ(found.headings, (std::vector<std::string>{"Files", "Limits of files"}));
  const std::vector<SnippetPart> parts{{"The operating system ", false},
                                       {"limits", true},
                                       {" what a ", false},
                                       {"process", true},
                                       {" opens. See os.path.join and HttpServer.", false}};
  EXPECT_EQ(found.parts, parts);
}

TEST_F(MatchedPage, SnippetOfAnIdentifierIsMarkedWhole) {
  const auto parts = snippet("max_open_files").parts;
  ASSERT_EQ(parts.size(), 3U);
  EXPECT_EQ(parts[1], (SnippetPart{"max_open_files", true}));
}

TEST_F(MatchedPage, SnippetWithoutAMatchIsTheBeginning) {
  const Snippet found = snippet("configuration");
  EXPECT_EQ(found.headings, std::vector<std::string>{"Files"});
  ASSERT_EQ(found.parts.size(), 1U);
  EXPECT_FALSE(found.parts[0].matches);
}

TEST(PageSnippet, LongTextIsCutAtWords) {
  std::string text;
  for (int i = 0; i < 400; ++i) text += "filler\n ";
  text += "needle ";
  for (int i = 0; i < 400; ++i) text += "more ";
  const Block block{TextBlock{text}, {}};
  Page page;
  page.language = "en";
  page.content = std::span<const Block>(&block, 1);
  const auto parts = SnippetMaker()(plan_of("needle"), page).parts;
  ASSERT_EQ(parts.size(), 5U);
  EXPECT_EQ(parts[0].text, "... ");
  EXPECT_TRUE(parts[1].text.starts_with("filler filler"));
  EXPECT_EQ(parts[2], (SnippetPart{"needle", true}));
  EXPECT_EQ(parts[4].text, " ...");
  std::size_t size = 0;
  for (const SnippetPart& part : parts) size += part.text.size();
  EXPECT_LE(size, kSnippetBytes + 8);
}

TEST(PageSnippet, AnEmptyPageHasNone) {
  const Snippet snippet = SnippetMaker()(plan_of("x"), Page{});
  EXPECT_TRUE(snippet.parts.empty());
  EXPECT_TRUE(snippet.headings.empty());
}

TEST(MatchPlan, FilterTerms) {
  EXPECT_EQ(site_term("Example.com"), "Hexample.com");
  EXPECT_EQ(site_term("https://Example.com/x"), "Ohttps://example.com");
  EXPECT_EQ(site_term("127.0.0.1:8080"), "H127.0.0.1:8080");
  EXPECT_EQ(language_term("de-AT"), "Lde-at");
  EXPECT_LE(site_term(std::string(5'000, 'x')).size(), 201U);
}

TEST(SearchCursor, SurvivesItsText) {
  const SearchCursor cursor{~std::uint64_t{0}, 7, 20, 12};
  EXPECT_EQ(decode_search_cursor(encode(cursor)), cursor);
  for (const std::string_view bad :
       {"", "1.2.3", "1.2.3.4.5", "1.2.3.x", "1.2..4", "-1.2.3.4", "1.2.3.4.", "11111111111111111.2.3.4"})
    EXPECT_FALSE(decode_search_cursor(bad)) << bad;
}

TEST(WordSuggestion, EditDistance) {
  const auto distance = [](std::string_view a, std::string_view b) {
    return edit_distance(letters_of(a), letters_of(b), 2);
  };
  EXPECT_EQ(distance("page", "page"), 0U);
  EXPECT_EQ(distance("page", "pgae"), 1U);
  EXPECT_EQ(distance("page", "pages"), 1U);
  EXPECT_EQ(distance("kitten", "sitting"), 3U);  // more than two
  EXPECT_EQ(distance("a", "abcdef"), 3U);
  EXPECT_EQ(distance("\u00e9t\u00e9", "\u00e9tat"), 2U);
}

}  // namespace
}  // namespace sheaf::search
