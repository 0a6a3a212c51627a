#include "sheaf/store/page_store.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::store {
namespace {

TEST(FeedCursor, ANumberIsWrittenAsItIs) {
  EXPECT_EQ(FeedCursor(1200).text(), "1200");
  EXPECT_EQ(FeedCursor(1200).json(), "1200");
  EXPECT_EQ(*FeedCursor::parse("1200"), FeedCursor(1200));
  EXPECT_EQ(FeedCursor().text(), "0");
  EXPECT_TRUE(FeedCursor().is_start());
}

TEST(FeedCursor, SeveralPartsAreOneToken) {
  std::vector<std::uint64_t> parts(1024);
  EXPECT_LT(FeedCursor(parts).text().size(), 20U) << "parts without changes cost nothing";
  parts[0] = 7;
  parts[511] = UINT64_MAX / 2;
  parts[1023] = 1;
  const FeedCursor cursor(parts);
  const std::string text = cursor.text();
  EXPECT_EQ(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
            std::string::npos);
  EXPECT_EQ(*FeedCursor::parse(text), cursor);
  EXPECT_EQ(cursor.of(511), UINT64_MAX / 2);
  EXPECT_EQ(cursor.of(5000), 0U);
  EXPECT_EQ(cursor.json(), "\"" + text + "\"");
}

TEST(FeedCursor, WhatWasCutOrMistypedIsRefused) {
  std::vector<std::uint64_t> parts(64, 1'000'000);
  const std::string text = FeedCursor(parts).text();
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(FeedCursor::parse(text.substr(0, size))) << size;
  for (const char* wrong : {"", "-1", "1x", "c", "c!", "cAAAA", "18446744073709551616", "2026-01-01"}) {
    const auto parsed = FeedCursor::parse(wrong);
    ASSERT_FALSE(parsed) << wrong;
    EXPECT_EQ(parsed.error().code, base::Errc::invalid_argument);
  }
}

TEST(FeedCursor, AdvancesAndNeverGoesBack) {
  FeedCursor cursor(std::vector<std::uint64_t>{3, 0, 5});
  cursor.advance(1, 4, 3);
  cursor.advance(2, 2, 3);
  EXPECT_EQ(cursor, FeedCursor(std::vector<std::uint64_t>{3, 4, 5}));
  EXPECT_EQ(cursor.total(), 12U);
}

}  // namespace
}  // namespace sheaf::store
