#include "sheaf/base/external_sort.h"

#include "support/allocated_memory.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace sheaf::base {
namespace {

struct Number {
  std::uint64_t value;
  std::uint64_t payload;
  friend bool operator<(const Number& a, const Number& b) { return a.value < b.value; }
};

TEST(SheafOnlyExternalSort, SortsAnyAmountInAnyMemory) {
  const test::TempDir folder;
  for (const std::size_t count : {0U, 1U, 1023U, 1024U, 1025U, 2048U, 30'000U})
    for (const std::size_t memory : {std::size_t{1}, std::size_t{100'000}, std::size_t{10'000'000}}) {
      std::mt19937_64 random(count + memory);
      ExternalSort<Number> sort(memory, folder.path());
      std::vector<std::uint64_t> expected;
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t value = i % 3 == 0 ? random() % 100 : random();
        expected.push_back(value);
        ASSERT_TRUE(sort.add({value, ~value}));
      }
      EXPECT_EQ(sort.size(), count);
      std::ranges::sort(expected);
      ASSERT_TRUE(sort.sort());
      for (const std::uint64_t value : expected) {
        const auto next = sort.next();
        ASSERT_TRUE(next && *next);
        ASSERT_EQ((*next)->value, value);
        ASSERT_EQ((*next)->payload, ~value);
      }
      EXPECT_FALSE(sort.next().value().has_value());
      EXPECT_FALSE(sort.next().value().has_value());
    }
}

TEST(SheafOnlyExternalSort, TheRecordsAreFreedBeforeTheMerge) {
  constexpr std::size_t kMemory = 4'000'000;
  const test::TempDir folder;
  const std::size_t before = test::allocated_bytes();
  ExternalSort<Number> sort(kMemory, folder.path());
  for (std::uint64_t i = 0; i < 1'000'000; ++i) ASSERT_TRUE(sort.add({~i, i}));
  ASSERT_TRUE(sort.sort());
  EXPECT_LT(test::allocated_bytes() - before, kMemory + kMemory / 2);
}

TEST(SheafOnlyExternalSort, ReportsWhyItCannotSpill) {
  const test::TempDir folder;
  ExternalSort<Number> sort(1, folder / "missing");
  Result<void> added;
  for (int i = 0; i < 2000 && added; ++i) added = sort.add({1, 1});
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, Errc::not_found);
}

}  // namespace
}  // namespace sheaf::base
