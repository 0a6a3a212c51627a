#include "sheaf/search/page_terms.h"
#include "sheaf/search/search_query.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::search {
namespace {

using Pairs = std::vector<std::string>;

Pairs pairs_of_text(const std::string& text) {
  Pairs pairs;
  WordPairs follow;
  WordSplitter().each(text, [&](const SearchWord& word) {
    follow.add(word, [&](std::string_view pair) { pairs.emplace_back(pair); });
  });
  return pairs;
}

Pairs pairs_of_query(const std::string& text) {
  StemmerSet stemmers;
  return make_match_plan(*parse_query(text), Pairs{"en"}, stemmers).pairs;
}

TEST(WordPairsTest, NeighboursAsTheyAreWritten) {
  EXPECT_EQ(pairs_of_text("Mutable Default Values"), (Pairs{"mutable default", "default values"}));
  EXPECT_EQ(pairs_of_text("Class std::basic_istream"), (Pairs{"class std", "std basic", "basic istream"}));
  EXPECT_EQ(pairs_of_text("One"), Pairs{});
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "word ";
  EXPECT_LT(pairs_of_text(many).size(), 100U);
}

TEST(WordPairsTest, AQueryHasThoseOfItsRequiredWords) {
  EXPECT_EQ(pairs_of_query("mutable default values"), (Pairs{"mutable default", "default values"}));
  EXPECT_EQ(pairs_of_query("a1 \"b1 c1\" d1"), (Pairs{"a1 b1", "b1 c1", "c1 d1"}));
  EXPECT_EQ(pairs_of_query("a1 -b1 c1"), Pairs{});
  EXPECT_EQ(pairs_of_query("a1 site:example.com b1"), Pairs{});
  EXPECT_EQ(pairs_of_query("a1 b1 OR c1 d1"), Pairs{});
  EXPECT_EQ(pairs_of_query("a1 title:b1"), Pairs{});
}

}  // namespace
}  // namespace sheaf::search
