#include "sheaf/parquet/column_writer.h"

#include <gtest/gtest.h>

namespace sheaf::parquet {
namespace {

TEST(ColumnStatistics, BoundsOfShortTextsAreTheTexts) {
  ColumnStatistics statistics;
  statistics.add_null();
  for (const char* text : {"m", "z", "a"}) statistics.add_text(text);
  EXPECT_EQ(statistics.nulls(), 1);
  EXPECT_EQ(statistics.lower(PhysicalType::bytes), "a");
  EXPECT_EQ(statistics.upper(PhysicalType::bytes), "z");
  EXPECT_TRUE(statistics.lower_is_exact() && statistics.upper_is_exact());
}

TEST(ColumnStatistics, LongTextsAreBoundedFromBothSides) {
  ColumnStatistics statistics;
  const std::string text(100, 'x');
  statistics.add_text(text);
  EXPECT_LE(statistics.lower(PhysicalType::bytes), text);
  EXPECT_GT(statistics.upper(PhysicalType::bytes), text);
  EXPECT_EQ(statistics.upper(PhysicalType::bytes), std::string(63, 'x') + 'y');
  EXPECT_FALSE(statistics.lower_is_exact() || statistics.upper_is_exact());
}

TEST(ColumnStatistics, BoundsAreCutBetweenCharacters) {
  ColumnStatistics statistics;
  std::string text = "a";
  for (int i = 0; i < 50; ++i) text += "\xE4\xB8\xAD";
  statistics.add_text(text);
  EXPECT_EQ(statistics.lower(PhysicalType::bytes), text.substr(0, 64));
  EXPECT_EQ(statistics.upper(PhysicalType::bytes), text.substr(0, 61) + "\xE4\xB8\xAE");
}

TEST(ColumnStatistics, NothingIsAboveTheHighestCharacters) {
  ColumnStatistics statistics;
  std::string text;
  for (int i = 0; i < 50; ++i) text += "\xF4\x8F\xBF\xBF";
  statistics.add_text(text);
  EXPECT_FALSE(statistics.has_upper(PhysicalType::bytes));
  EXPECT_TRUE(statistics.has_values());
}

TEST(ColumnStatistics, NumbersCompareAsNumbers) {
  ColumnStatistics page;
  page.add_number(-5);
  page.add_number(300);
  ColumnStatistics column;
  column.add(page);
  ColumnStatistics empty;
  empty.add_null();
  column.add(empty);
  EXPECT_EQ(column.lower(PhysicalType::int32), std::string("\xFB\xFF\xFF\xFF", 4));
  EXPECT_EQ(column.upper(PhysicalType::int64), std::string("\x2C\x01\0\0\0\0\0\0", 8));
  EXPECT_EQ(column.nulls(), 1);
}

}  // namespace
}  // namespace sheaf::parquet
