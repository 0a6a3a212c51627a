#include "sheaf/search/search_query.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::search {
namespace {

using Kind = QueryTerm::Kind;

SearchQuery parsed(std::string_view text) {
  auto query = parse_query(text);
  EXPECT_TRUE(query) << text << ": " << (query ? "" : query.error().message);
  return query ? *query : SearchQuery{};
}

std::string fault(std::string_view text) {
  const auto query = parse_query(text);
  EXPECT_FALSE(query) << text;
  if (query) return {};
  EXPECT_EQ(query.error().code, base::Errc::invalid_argument);
  return query.error().message;
}

TEST(ParseQuery, WordsPhrasesExclusions) {
  EXPECT_EQ(parsed("one \"two three\" -four"), (SearchQuery{{{false, {{Kind::word, false, "one"}}},
                                                             {false, {{Kind::phrase, false, "two three"}}},
                                                             {true, {{Kind::word, false, "four"}}}}}));
  EXPECT_EQ(parsed("-\"a b\" c").clauses[0].excluded, true);
  EXPECT_EQ(parsed("well-known").clauses.size(), 1U);
}

TEST(ParseQuery, OrJoinsItsNeighbours) {
  const SearchQuery query = parsed("a b OR c OR d e");
  ASSERT_EQ(query.clauses.size(), 3U);
  EXPECT_EQ(query.clauses[1].any_of.size(), 3U);
  EXPECT_EQ(parsed("or ORder").clauses.size(), 2U);
}

TEST(ParseQuery, FieldsAndPrefixes) {
  EXPECT_EQ(parsed("site:example.com lang:de title:\"a b\" title:c conf*"),
            (SearchQuery{{{false, {{Kind::site, false, "example.com"}}},
                          {false, {{Kind::language, false, "de"}}},
                          {false, {{Kind::phrase, true, "a b"}}},
                          {false, {{Kind::word, true, "c"}}},
                          {false, {{Kind::prefix, false, "conf"}}}}}));
  EXPECT_EQ(parsed("std::vector https://example.com/x").clauses[0].any_of[0],
            (QueryTerm{Kind::word, false, "std::vector"}));
  EXPECT_EQ(parsed("SITE:Example.com x").clauses[0].any_of[0].kind, Kind::site);
}

TEST(ParseQuery, PunctuationIsPassedOver) {
  EXPECT_EQ(parsed("a & b - c").clauses.size(), 3U);
  EXPECT_EQ(parsed("\t a\n").clauses.size(), 1U);
}

TEST(ParseQuery, FaultsSayWhatAndWhere) {
  EXPECT_EQ(fault("a \"b c"), "character 3 of the query: this quote is not closed");
  EXPECT_EQ(fault(""), "the query has no words to search for");
  EXPECT_EQ(fault("?!"), "the query has no words to search for");
  EXPECT_EQ(fault("-a -b"), "the query only excludes words; add a word to search for");
  EXPECT_EQ(fault("a OR"), "OR must stand between two words; write \"or\" to search for the word");
  EXPECT_EQ(fault("OR a"), "OR must stand between two words; write \"or\" to search for the word");
  EXPECT_EQ(fault("a OR OR b"), "OR must stand between two words; write \"or\" to search for the word");
  EXPECT_EQ(fault("a OR -b"), "OR cannot join excluded words; exclude each word separately");
  EXPECT_EQ(fault("a c*d"), "character 4 of the query: * can only end a word, as in config*");
  EXPECT_EQ(fault("a site:\"\""), "character 3 of the query: site:\"\" needs a value");
  EXPECT_EQ(fault("a title:?"), "character 3 of the query: there are no words to search for in title:?");
  EXPECT_EQ(fault("* a OR *"), "character 8 of the query: there are no words to search for in *");
}

TEST(ParseQuery, Bounds) {
  EXPECT_EQ(fault(std::string(kMaxQueryBytes + 1, 'a')), "the query has 1025 bytes; the limit is 1024");
  std::string many;
  for (std::size_t i = 0; i <= kMaxQueryTerms; ++i) many += "w" + std::to_string(i) + " ";
  EXPECT_EQ(fault(many), "the query has more than 32 words; leave some out");
}

}  // namespace
}  // namespace sheaf::search
