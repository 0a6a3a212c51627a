#include "sheaf/base/text_sort.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

namespace sheaf::base {
namespace {

void expect_entries(TextSort& sort, const std::map<std::string, std::string>& expected) {
  ASSERT_TRUE(sort.sort());
  for (const auto& [key, text] : expected) {
    const auto entry = sort.next();
    ASSERT_TRUE(entry && *entry);
    ASSERT_EQ((*entry)->key, key);
    ASSERT_EQ((*entry)->text, text);
  }
  EXPECT_FALSE(sort.next()->has_value());
}

TEST(TextSort, MoreThanFitsInMemory) {
  std::map<std::string, std::string> expected;
  TextSort sort(10'000, {});
  std::mt19937 random(3);
  for (int i = 0; i < 2'000; ++i) {
    const std::string key = std::to_string(random());
    const std::string text(random() % 200, static_cast<char>('a' + i % 26));
    if (!expected.emplace(key, text).second) continue;
    ASSERT_TRUE(sort.add(key, text));
  }
  // A text that alone is larger than the memory.
  expected["5"] = std::string(300'000, 'x');
  ASSERT_TRUE(sort.add("5", expected["5"]));
  expect_entries(sort, expected);
}

// Each run has a block in memory while they are merged.
TEST(TextSort, TheNumberOfRunsIsBounded) {
  constexpr int kNumber = 9'000;  // each is a run: three levels
  TextSort sort(1, {});
  std::mt19937 random(3);
  std::map<std::string, std::string> expected;
  for (int i = 0; i < kNumber; ++i) {
    const std::string key = std::to_string(random());
    expected[key] = std::to_string(i);
    ASSERT_TRUE(sort.add(key, expected[key]));
    ASSERT_LE(sort.run_count(), 3 * 64);
  }
  ASSERT_EQ(expected.size(), kNumber);
  expect_entries(sort, expected);
}

TEST(TextSort, NothingIsSorted) {
  TextSort sort(1'000, {});
  expect_entries(sort, {});
}

TEST(TextSort, AFolderThatIsNotThereIsAnError) {
  TextSort sort(1, "/nonexistent/folder");
  ASSERT_TRUE(sort.add("a", "1"));
  EXPECT_FALSE(sort.add("b", "2"));
}

}  // namespace
}  // namespace sheaf::base
