#include "sheaf/format/page_index.h"

#include "sheaf/format/external_sort.h"
#include "support/temp_dir.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace sheaf::format {
namespace {

PageRecord record(std::uint32_t input, std::uint64_t sequence, std::int64_t modified,
                  std::uint64_t fingerprint = 0) {
  PageRecord result;
  result.input = input;
  result.sequence = sequence;
  result.seconds = modified;
  result.fingerprint = fingerprint;
  return result;
}

PageRecord removal(std::uint32_t input) { return record(input, 0, 0); }

/// "input/sequence" of what is there in the end, or "-".
std::string outcome(const std::vector<PageRecord>& records) {
  UrlHistory history;
  for (const PageRecord& one : records) history.add(one);
  const auto result = history.result();
  return result ? std::to_string(result->input) + "/" + std::to_string(result->sequence) : "-";
}

// Readings, table: within one collection the newest modified wins, the later line on a tie.
TEST(SpecUrlHistory, WithinOneCollectionTheNewestWinsTheLaterLineOnATie) {
  EXPECT_EQ(outcome({record(0, 1, 10)}), "0/1");
  EXPECT_EQ(outcome({record(0, 1, 10), record(0, 2, 20)}), "0/2");
  EXPECT_EQ(outcome({record(0, 1, 20), record(0, 2, 10)}), "0/1");
  EXPECT_EQ(outcome({record(0, 1, 10), record(0, 2, 10)}), "0/2");
  EXPECT_EQ(outcome({record(0, 1, 10), record(0, 2, 10), record(0, 3, 5)}), "0/2");
}

// Readings, "Applying": a delta page replaces the stored one only if its modified is later (equal: ignored).
TEST(SpecUrlHistory, BetweenCollectionsOnlyALaterPageReplaces) {
  EXPECT_EQ(outcome({record(0, 1, 10), record(1, 1, 11)}), "1/1");
  EXPECT_EQ(outcome({record(0, 1, 10), record(1, 1, 10)}), "0/1");
  EXPECT_EQ(outcome({record(0, 1, 10), record(1, 1, 9)}), "0/1");
  EXPECT_EQ(outcome({record(0, 1, 10), record(1, 1, 12), record(2, 1, 11)}), "1/1");
  EXPECT_EQ(outcome({record(3, 1, 10)}), "3/1");
}

// Readings, "Removals": a removed page that comes back later with a newer modified is inserted again.
TEST(SpecUrlHistory, RemovalsAndReturns) {
  EXPECT_EQ(outcome({removal(1)}), "-");
  EXPECT_EQ(outcome({record(0, 1, 10), removal(1)}), "-");
  EXPECT_EQ(outcome({record(0, 1, 10), removal(1), record(2, 1, 12)}), "2/1");
  EXPECT_EQ(outcome({record(0, 1, 10), removal(1), record(2, 1, 5)}), "2/1");
  EXPECT_EQ(outcome({record(0, 1, 10), record(1, 1, 11), removal(2)}), "-");
  EXPECT_EQ(outcome({record(0, 1, 10), removal(1), removal(1), record(2, 1, 12), removal(3)}), "-");
}

TEST(SheafOnlyUrlHistory, KnowsWhetherTheFirstCollectionHadThePage) {
  UrlHistory history;
  history.add(record(0, 1, 10));
  history.add(removal(1));
  EXPECT_FALSE(history.result());
  EXPECT_TRUE(history.was_in_first());
  history = {};
  history.add(record(1, 1, 10));
  EXPECT_TRUE(history.result());
  EXPECT_FALSE(history.was_in_first());
}

TEST(SheafOnlyPageRecord, OrderIsUrlThenInputThenSequence) {
  auto a = record(5, 5, 0);
  auto b = record(0, 0, 99);
  b.url[15] = 1;
  EXPECT_TRUE(a < b);
  EXPECT_TRUE(record(0, 9, 0) < record(1, 0, 0));
  EXPECT_TRUE(record(1, 0, 99) < record(1, 1, 0));
  EXPECT_EQ(sizeof(PageRecord), 48U);
}

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

TEST(SheafOnlyExternalSort, SaysWhyItCannotSpill) {
  const test::TempDir folder;
  ExternalSort<Number> sort(1, folder / "missing");
  base::Result<void> added;
  for (int i = 0; i < 2000 && added; ++i) added = sort.add({1, 1});
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, base::Errc::not_found);
}

}  // namespace
}  // namespace sheaf::format
