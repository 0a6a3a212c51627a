#include "sheaf/http/message/message.h"

#include <gtest/gtest.h>

namespace sheaf::http::message {
namespace {

constexpr std::int64_t kNow = 1'767'225'600;  // 2026-01-01

TEST(HttpDate, ReadsTheThreeForms) {
  constexpr std::int64_t kExample = 784'111'777;
  EXPECT_EQ(parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT", kNow), kExample);
  EXPECT_EQ(parse_http_date("Sunday, 06-Nov-94 08:49:37 GMT", kNow), kExample);
  EXPECT_EQ(parse_http_date("Sun Nov  6 08:49:37 1994", kNow), kExample);
  EXPECT_EQ(parse_http_date("Wed Nov 16 08:49:37 1994", kNow), kExample + 10 * 86'400);
}

TEST(HttpDate, TwoDigitsAreAtMostFiftyYearsAhead) {
  EXPECT_EQ(format_http_date(*parse_http_date("Sunday, 06-Nov-76 08:49:37 GMT", kNow)),
            "Fri, 06 Nov 2076 08:49:37 GMT");
  EXPECT_EQ(format_http_date(*parse_http_date("Sunday, 06-Nov-77 08:49:37 GMT", kNow)),
            "Sun, 06 Nov 1977 08:49:37 GMT");
  EXPECT_EQ(format_http_date(*parse_http_date("Sunday, 06-Nov-00 08:49:37 GMT", kNow)),
            "Mon, 06 Nov 2000 08:49:37 GMT");
}

TEST(HttpDate, ALeapSecondIsTheLastOfItsMinute) {
  EXPECT_EQ(parse_http_date("Sat, 31 Dec 2016 23:59:60 GMT", kNow),
            parse_http_date("Sat, 31 Dec 2016 23:59:59 GMT", kNow));
}

TEST(HttpDate, RefusesEverythingElse) {
  for (const char* text : {"",
                           "Sun",
                           "Sun,",
                           "now",
                           "Sun, 06 Nov 1994 08:49:37",
                           "Sun, 06 Nov 1994 08:49:37 CET",
                           "Sun, 6 Nov 1994 08:49:37 GMT",
                           "Sun, 06 nov 1994 08:49:37 GMT",
                           "Xun, 06 Nov 1994 08:49:37 GMT",
                           "Sun, 31 Feb 1994 08:49:37 GMT",
                           "Sun, 00 Nov 1994 08:49:37 GMT",
                           "Sun, 06 Nov 1994 24:00:00 GMT",
                           "Sun, 06 Nov 1994 08:60:37 GMT",
                           "Sun, 06 Nov 1994 08:49:61 GMT",
                           "Sun, 06 Nov 1994 08:49:37 GMT ",
                           " Sun, 06 Nov 1994 08:49:37 GMT",
                           "Sun, 06 Nov 94 08:49:37 GMT",
                           "Sunday, 06-Nov-1994 08:49:37 GMT",
                           "Sun Nov 6 08:49:37 1994",
                           "Sun Nov  6 08:49:37 94",
                           "Sunday, 06 Nov 1994 08:49:37 GMT",
                           "Sun, -6 Nov 1994 08:49:37 GMT",
                           "784111777"})
    EXPECT_EQ(parse_http_date(text, kNow), std::nullopt) << text;
}

TEST(HttpDate, WritesTheFirstForm) {
  EXPECT_EQ(format_http_date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(format_http_date(-1), "Wed, 31 Dec 1969 23:59:59 GMT");
  EXPECT_EQ(format_http_date(INT64_MAX), "Fri, 31 Dec 9999 23:59:59 GMT");
  EXPECT_EQ(format_http_date(INT64_MIN), "Mon, 01 Jan 0001 00:00:00 GMT");
}

}  // namespace
}  // namespace sheaf::http::message
