#include <gtest/gtest.h>

#include <sheaf/time.h>

#include <random>

namespace sheaf::base {
namespace {

struct TimeCase {
  std::string_view text;
  std::int64_t seconds;
  std::uint32_t nanoseconds = 0;
};

// Readings, "Times": RFC 3339 with any offset, fractions, lower-case t/z; compared as instants.
TEST(SpecTime, ReadsRfc3339AsInstants) {
  constexpr TimeCase kCases[] = {
      {"1970-01-01T00:00:00Z", 0},
      {"1970-01-01T00:00:01Z", 1},
      {"1969-12-31T23:59:59Z", -1},
      {"2026-01-15T00:00:00Z", 1768435200},
      {"2026-01-15t00:00:00z", 1768435200},
      {"2026-01-15T05:30:00+05:30", 1768435200},
      {"2026-01-14T16:00:00-08:00", 1768435200},
      {"2026-01-15T00:00:00+00:00", 1768435200},
      {"2026-01-15T00:00:00-00:00", 1768435200},
      {"2026-01-15T23:59:00+23:59", 1768435200},
      {"2026-01-14T00:01:00-23:59", 1768435200},
      {"2026-01-15T00:00:00.5Z", 1768435200, 500'000'000},
      {"2026-01-15T00:00:00.000000001Z", 1768435200, 1},
      {"2026-01-15T00:00:00.999999999999Z", 1768435200, 999'999'999},
      {"2026-01-15T00:00:00.0000000000000000000001+00:00", 1768435200, 0},
      {"2024-02-29T00:00:00Z", 1709164800},
      {"2000-02-29T12:00:00Z", 951825600},
      {"0000-01-01T00:00:00Z", -62167219200},
      {"0000-02-29T00:00:00Z", -62162121600},
      {"9999-12-31T23:59:59Z", 253402300799},
  };
  for (const TimeCase& time : kCases) {
    const auto parsed = parse_time(time.text);
    ASSERT_TRUE(parsed) << time.text;
    EXPECT_EQ(parsed->instant.seconds, time.seconds) << time.text;
    EXPECT_EQ(parsed->instant.nanoseconds, time.nanoseconds) << time.text;
    EXPECT_EQ(parsed->offset, Offset::given) << time.text;
  }
}

// Readings, "Times": leap second 60 is read as 59.
TEST(SpecTime, LeapSecondIsReadAs59) {
  EXPECT_EQ(parse_time("2016-12-31T23:59:60Z")->instant, parse_time("2016-12-31T23:59:59Z")->instant);
  EXPECT_EQ(parse_time("2017-01-01T00:59:60.25+01:00")->instant,
            parse_time("2016-12-31T23:59:59.25Z")->instant);
}

// Readings, table: naive-time, a time without an offset: read as UTC.
TEST(SpecTime, NaiveTimeIsReadAsUtcAndSaysSo) {
  for (const std::string_view text : {"2026-01-15T00:00:00", "2026-01-15t00:00:00.5"}) {
    const auto parsed = parse_time(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(parsed->offset, Offset::missing) << text;
    EXPECT_EQ(parsed->instant.seconds, 1768435200) << text;
  }
}

TEST(SpecTime, RefusesInvalidTimes) {
  for (const std::string_view text : {"",
                                      "2026",
                                      "2026-01-15",
                                      "2026-01-15T",
                                      "2026-01-15T00:00Z",
                                      "2026-01-15T00:00:00 Z",
                                      " 2026-01-15T00:00:00Z",
                                      "2026-01-15T00:00:00Z ",
                                      "2026-01-15 00:00:00Z",
                                      "2026-01-15T00:00:00.Z",
                                      "2026-01-15T00:00:00,5Z",
                                      "2026-00-15T00:00:00Z",
                                      "2026-13-15T00:00:00Z",
                                      "2026-01-00T00:00:00Z",
                                      "2026-01-32T00:00:00Z",
                                      "2026-04-31T00:00:00Z",
                                      "2026-02-29T00:00:00Z",
                                      "1900-02-29T00:00:00Z",
                                      "2100-02-29T00:00:00Z",
                                      "2026-01-15T24:00:00Z",
                                      "2026-01-15T00:60:00Z",
                                      "2026-01-15T00:00:61Z",
                                      "2026-01-15T00:00:00+24:00",
                                      "2026-01-15T00:00:00+00:60",
                                      "2026-01-15T00:00:00+0000",
                                      "2026-01-15T00:00:00+00",
                                      "2026-01-15T00:00:00+1:00",
                                      "2026-01-15T00:00:00ZZ",
                                      "2026-01-15T00:00:00Z+00:00",
                                      "26-01-15T00:00:00Z",
                                      "12026-01-15T00:00:00Z",
                                      "-026-01-15T00:00:00Z",
                                      "2026-1-15T00:00:00Z",
                                      "2026-01-15T0:00:00Z",
                                      "2026-01-15T00:00:0aZ",
                                      "Thu, 15 Jan 2026 00:00:00 GMT",
                                      "1768435200",
                                      "2026-W03-4T00:00:00Z",
                                      "2026-015T00:00:00Z"})
    EXPECT_FALSE(parse_time(text)) << text;
  EXPECT_FALSE(parse_time(std::string_view("2026-01-15T00:00:00Z\0", 21)));
}

// Readings, "Times": we write UTC with Z, whole seconds unless the source has finer ones.
TEST(SpecTime, WritesUtcWithZ) {
  EXPECT_EQ(format_time(parse_time("2026-01-15T05:30:00+05:30")->instant), "2026-01-15T00:00:00Z");
  EXPECT_EQ(format_time(parse_time("2026-01-15t00:00:00.250z")->instant), "2026-01-15T00:00:00.25Z");
  EXPECT_EQ(format_time(parse_time("2026-01-15T00:00:00.000Z")->instant), "2026-01-15T00:00:00Z");
  EXPECT_EQ(format_time({0, 1}), "1970-01-01T00:00:00.000000001Z");
  EXPECT_EQ(format_time({-1, 0}), "1969-12-31T23:59:59Z");
  EXPECT_EQ(format_time(parse_time("0000-01-01T00:00:00Z")->instant), "0000-01-01T00:00:00Z");
  EXPECT_EQ(format_time(parse_time("9999-12-31T23:59:59.999999999Z")->instant),
            "9999-12-31T23:59:59.999999999Z");
}

TEST(SheafOnlyTime, WhatIsWrittenReadsBackAsTheSameInstant) {
  std::mt19937_64 random(7);
  constexpr std::int64_t kFirst = -62167219200;
  constexpr std::uint64_t kSpan = 253402300799 + 62167219200;
  for (int i = 0; i < 20'000; ++i) {
    const Instant instant{kFirst + static_cast<std::int64_t>(random() % (kSpan + 1)),
                          i % 3 == 0 ? 0 : static_cast<std::uint32_t>(random() % 1'000'000'000)};
    const std::string text = format_time(instant);
    const auto parsed = parse_time(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(parsed->instant, instant) << text;
    EXPECT_EQ(parsed->offset, Offset::given) << text;
  }
}

TEST(SheafOnlyTime, InstantsAreOrderedBySecondsThenFractions) {
  EXPECT_LT(parse_time("2026-01-15T00:00:00.1Z")->instant, parse_time("2026-01-15T00:00:00.11Z")->instant);
  EXPECT_LT(parse_time("2026-01-15T00:00:00.999Z")->instant, parse_time("2026-01-15T00:00:01Z")->instant);
  EXPECT_LT(parse_time("2026-01-15T02:00:00+02:00")->instant,
            parse_time("2026-01-14T23:00:01-01:00")->instant);
}

TEST(SheafOnlyTime, NowIsOfThisCentury) {
  EXPECT_GT(now(), parse_time("2025-01-01T00:00:00Z")->instant);
  EXPECT_LT(now().nanoseconds, 1'000'000'000U);
}

}  // namespace
}  // namespace sheaf::base
