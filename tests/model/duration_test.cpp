#include "sheaf/model/field_values.h"

#include <gtest/gtest.h>

#include <string_view>

namespace sheaf::model {
namespace {

TEST(SpecDuration, HoursMinutesAndSecondsOnly) {
  for (const std::string_view text : {"PT1H", "PT5M", "PT20S", "PT1H5M20S", "PT0.5S", "PT1H20S"})
    EXPECT_TRUE(is_duration(text)) << text;
  for (const std::string_view text : {"", "P", "PT", "P1D", "P1DT1H", "PT5", "PTM", "PT5M1H", "PT5M5M",
                                      "PT1.5M", "PT.5S", "PT1.S", "pt5m", "PT5M "})
    EXPECT_FALSE(is_duration(text)) << text;
}

}  // namespace
}  // namespace sheaf::model
