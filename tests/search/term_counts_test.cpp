#include "sheaf/search/page_terms.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace sheaf::search {
namespace {

TEST(TermCounts, CountsLikeAMap) {
  std::mt19937 random(1);
  TermCounts counts;
  // A page with many terms between small ones: the table grows and shrinks.
  for (const unsigned different : {3U, 5000U, 2U, 700U, 1U, 1U}) {
    counts.clear();
    EXPECT_TRUE(counts.entries().empty());
    std::map<std::string, std::uint32_t> expected;
    for (unsigned i = 0; i < 3 * different; ++i) {
      const std::string term = std::to_string(random() % different) + (random() % 2 == 0 ? "" : "term");
      const auto weight = static_cast<std::uint32_t>(1 + random() % 6);
      counts.add(term, weight);
      expected[term] += weight;
    }
    std::map<std::string, std::uint32_t> found;
    for (const TermCount& entry : counts.entries()) found.emplace(entry.term, entry.count);
    EXPECT_EQ(found, expected);
    EXPECT_EQ(counts.entries().size(), expected.size());
    for (const auto& [term, count] : expected) EXPECT_TRUE(counts.contains(term));
    EXPECT_FALSE(counts.contains("absent"));
  }
  EXPECT_FALSE(TermCounts().contains("absent"));
}

}  // namespace
}  // namespace sheaf::search
