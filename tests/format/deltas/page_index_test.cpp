#include "sheaf/format/deltas/page_index.h"

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

/// "input/sequence" of the final page, or "-".
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

}  // namespace
}  // namespace sheaf::format
