#include "sheaf/search/search_words.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::search {
namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  WordSplitter().each(text, [&](const SearchWord& word) { words.emplace_back(word.text); });
  return words;
}

using Words = std::vector<std::string>;

TEST(SearchWords, SplitsAndFolds) {
  EXPECT_EQ(words_of("Hello, World! 42nd"), (Words{"hello", "world", "42nd"}));
  EXPECT_EQ(words_of("caf\u00e9 \u00dcber Stra\u00dfe \u0141\u00f3d\u017a \u00c6on"),
            (Words{"cafe", "uber", "strasse", "lodz", "aeon"}));
  EXPECT_EQ(words_of("cafe\u0301"), Words{"cafe"});                // the accent as a character of its own
  EXPECT_EQ(words_of("\uff28\uff54\uff4d\uff4c"), Words{"html"});  // full-width letters
  EXPECT_EQ(words_of(""), Words{});
  EXPECT_EQ(words_of("... -- !?"), Words{});
}

TEST(SearchWords, MarksThatMakeAnotherLetterStay) {
  EXPECT_EQ(words_of("\u043d\u043e\u0432\u044b\u0439"), Words{"\u043d\u043e\u0432\u044b\u0439"});
  EXPECT_EQ(words_of("\u0451\u043b\u043a\u0430"), Words{"\u0435\u043b\u043a\u0430"});
}

TEST(SearchWords, IdentifiersWholeAndInParts) {
  EXPECT_EQ(words_of("max_open_files"), (Words{"max_open_files", "max", "open", "files"}));
  EXPECT_EQ(words_of("os.path.join(a)"), (Words{"os.path.join", "os", "path", "join", "a"}));
  EXPECT_EQ(words_of("std::string_view"), (Words{"std::string_view", "std", "string", "view"}));
  EXPECT_EQ(words_of("getUserName"), (Words{"getusername", "get", "user", "name"}));
  EXPECT_EQ(words_of("HTTPServer"), (Words{"httpserver", "http", "server"}));
  EXPECT_EQ(words_of("__init__"), Words{"init"});
  EXPECT_EQ(words_of("End. Begin"), (Words{"end", "begin"}));
  EXPECT_EQ(words_of("a.b"), (Words{"a.b", "a", "b"}));
  EXPECT_EQ(words_of("3.14"), (Words{"3.14", "3", "14"}));
}

// Plain words have a short way of their own: what follows decides whether a word is one.
TEST(SearchWords, PlainWordsEndWhereTheyShould) {
  for (const std::string start : {"word", "Word", "w", "W"}) {
    const std::string word = start.size() == 1 ? "w" : "word";
    for (const std::string end :
         {"", " ", ".", ". ", "..", "_", "__ ", ":", ": ", "::", "'", "-", "\xff", "\xe2\x80\x94"})
      EXPECT_EQ(words_of(start + end), Words{word}) << start << end;
    for (const std::string joiner : {".", "_", "__", "::"})
      EXPECT_EQ(words_of(start + joiner + "x"), (Words{word + joiner + "x", word, "x"})) << joiner;
    EXPECT_EQ(words_of(start + "\u0301"), Words{word});
    EXPECT_EQ(words_of(start + "\u00fc"), Words{word + "u"});
    EXPECT_EQ(words_of(start + "7"), Words{word + "7"});
    EXPECT_EQ(words_of(start + "\u6771"), (Words{word, "\u6771"}));
  }
  EXPECT_EQ(words_of("wordWord"), (Words{"wordword", "word", "word"}));
  EXPECT_EQ(words_of("WORD"), Words{"word"});
}

TEST(SearchWords, ScriptsWithoutSpacesGivePairs) {
  EXPECT_EQ(words_of("\u6771\u4eac\u90fd"), (Words{"\u6771\u4eac", "\u4eac\u90fd", "\u90fd"}));
  EXPECT_EQ(words_of("\u6771"), Words{"\u6771"});
  EXPECT_EQ(words_of("API\u4f7f\u7528"), (Words{"api", "\u4f7f\u7528", "\u7528"}));
}

TEST(SearchWords, PlacesAreThoseOfTheSource) {
  const std::string text = "  get_\u00dcser!";
  std::vector<std::string> sources;
  WordSplitter().each(
      text, [&](const SearchWord& word) { sources.push_back(text.substr(word.from, word.to - word.from)); });
  EXPECT_EQ(sources, (Words{"get_\u00dcser", "get", "\u00dcser"}));
}

TEST(SearchWords, LongAndInvalidInputIsBounded) {
  EXPECT_EQ(words_of(std::string(10'000, 'a')), Words{});
  EXPECT_EQ(words_of(std::string(kMaxWordLength, 'a')).size(), 1U);
  EXPECT_EQ(words_of("a\xff\xfe b\xe6"), (Words{"a", "b"}));
  EXPECT_EQ(words_of(std::string(5'000, '_') + "x"), Words{"x"});
  EXPECT_EQ(words_of(std::string(5'000, '.')), Words{});
}

TEST(TermStemmer, ByLanguage) {
  const SearchWord word{"configurations", WordKind::word, true, 0, 14};
  EXPECT_EQ(TermStemmer("en-US").term_of(word), "configur");
  EXPECT_EQ(TermStemmer("zh").term_of(word), "configurations");
  EXPECT_EQ(TermStemmer("").term_of(word), "configurations");
  EXPECT_EQ(TermStemmer("de").term_of({"hauser", WordKind::word, true, 0, 6}), "haus");
  EXPECT_EQ(TermStemmer("en").term_of({"max_files", WordKind::identifier, false, 0, 9}), "max_files");
  EXPECT_EQ(TermStemmer("en").term_of({"files2", WordKind::word, false, 0, 6}), "files2");
}

TEST(TermStemmer, LanguageTags) {
  EXPECT_EQ(primary_language("de-CH-1996"), "de");
  EXPECT_EQ(primary_language("EN_us"), "en");
  EXPECT_EQ(primary_language("x/../y"), "");
  EXPECT_EQ(primary_language("averylonglanguage"), "");
}

TEST(TermStemmer, NewWordsAreReportedOnce) {
  TermStemmer stemmer("en");
  EXPECT_EQ(stemmer.term_of({"pages", WordKind::word, true, 0, 5}), "page");
  EXPECT_EQ(stemmer.term_of({"pages", WordKind::word, true, 0, 5}), "page");
  EXPECT_EQ(stemmer.take_new_words(), Words{"pages"});
  EXPECT_EQ(stemmer.take_new_words(), Words{});
}

}  // namespace
}  // namespace sheaf::search
