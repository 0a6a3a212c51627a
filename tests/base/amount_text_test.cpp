#include "sheaf/base/amount_text.h"

#include <gtest/gtest.h>

namespace sheaf::base {
namespace {

TEST(AmountTexts, OfTimes) {
  EXPECT_EQ(parse_duration("30m"), 1'800);
  EXPECT_EQ(parse_duration("7d"), 604'800);
  EXPECT_EQ(parse_duration("0s"), 0);
  for (const char* text : {"", "m", "30", "30 m", "-1s", "1w", "1.5h", "99999999999d"})
    EXPECT_FALSE(parse_duration(text)) << text;
}

TEST(AmountTexts, OfSizes) {
  EXPECT_EQ(parse_byte_size("500"), 500U);
  EXPECT_EQ(parse_byte_size("1B"), 1U);
  EXPECT_EQ(parse_byte_size("10 KiB"), 10'240U);
  EXPECT_EQ(parse_byte_size("2mb"), 2'000'000U);
  EXPECT_EQ(parse_byte_size("3G"), 3'000'000'000U);
  EXPECT_EQ(parse_byte_size("1TiB"), 1'099'511'627'776U);
  for (const char* text : {"", "GiB", "1XB", "1KiBs", "-1", "1.5G", "9223372036854775808", "9000000000TiB"})
    EXPECT_FALSE(parse_byte_size(text)) << text;
}

}  // namespace
}  // namespace sheaf::base
