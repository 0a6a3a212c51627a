#include "sheaf/base/counted_text.h"

#include <gtest/gtest.h>

namespace sheaf::base {
namespace {

TEST(DurationTexts, AreParsed) {
  EXPECT_EQ(parse_duration("30m"), 1'800);
  EXPECT_EQ(parse_duration("7d"), 604'800);
  EXPECT_EQ(parse_duration("0s"), 0);
  for (const char* text : {"", "m", "30", "30 m", "-1s", "1w", "1.5h", "99999999999d"})
    EXPECT_FALSE(parse_duration(text)) << text;
}

}  // namespace
}  // namespace sheaf::base
