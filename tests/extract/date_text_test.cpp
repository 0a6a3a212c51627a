#include "sheaf/extract/metadata/date_text.h"

#include <gtest/gtest.h>

#include <sheaf/time.h>

#include <optional>
#include <string>
#include <string_view>

namespace sheaf::extract {
namespace {

std::string shown(const std::optional<FoundDate>& date) { return date ? format_time(date->instant) : "none"; }

struct DateCase {
  std::string_view text;
  std::string_view want;
  DateOrder order = DateOrder::unknown;
};

TEST(SheafOnlyDateText, ValuesOfMachines) {
  constexpr DateCase kCases[] = {
      {"2021-03-15", "2021-03-15T00:00:00Z"},
      {"2021-03-15T10:30:05Z", "2021-03-15T10:30:05Z"},
      {"2021-03-15T10:30:05+01:00", "2021-03-15T09:30:05Z"},
      {"2021-03-15T10:30:05.123-0500", "2021-03-15T15:30:05.123Z"},
      {"2021-03-15T10:30:05.000000Z", "2021-03-15T10:30:05Z"},
      {"2021-03-15T10:30:05.12345678901234567890Z", "2021-03-15T10:30:05.123456789Z"},
      {"2021-03-15T10:30+02", "2021-03-15T08:30:00Z"},
      {"2021-03-15 10:30:05 +0100", "2021-03-15T09:30:05Z"},
      {"2021-03-15 10:30", "2021-03-15T10:30:00Z"},
      {" 2021/03/15 ", "2021-03-15T00:00:00Z"},
      {"20210315", "2021-03-15T00:00:00Z"},
      {"20210315T103005Z", "2021-03-15T10:30:05Z"},
      {"202103151030", "2021-03-15T10:30:00Z"},
      {"Mon, 15 Mar 2021 10:30:05 GMT", "2021-03-15T10:30:05Z"},
      {"Mon Mar 15 2021 10:30:05 GMT+0100 (CET)", "2021-03-15T09:30:05Z"},
      {"15-Mar-2021", "2021-03-15T00:00:00Z"},
      {"1615804205", "2021-03-15T10:30:05Z"},
      {"1615804205000", "2021-03-15T10:30:05Z"},
      {"1615804205250", "2021-03-15T10:30:05.25Z"},
      {"2021-03-15T23:59:60Z", "2021-03-15T23:59:59Z"},
  };
  for (const DateCase& each : kCases)
    EXPECT_EQ(shown(parse_date_value(each.text, each.order)), each.want) << each.text;
}

TEST(SheafOnlyDateText, TextsThatAreNotThePagesDate) {
  constexpr std::string_view kTexts[] = {
      "",
      "2021",
      "2021-03",
      "March 2021",
      "2021-02-30",
      "2021-13-01",
      "1899-12-30",
      "0001-01-01",
      "2021-00-10",
      "12345",
      "1.2.3.4",
      "15.03.2021.7",
      "now",
      "20211399",
      "99999999999999999999999",
      "31 June 2021",
      "copyright 2021",
  };
  for (const std::string_view text : kTexts)
    EXPECT_EQ(shown(parse_date_value(text, DateOrder::day_first)), "none") << text;
}

TEST(SheafOnlyDateText, WrittenInTheLanguagesOfTheWeb) {
  constexpr DateCase kCases[] = {
      {"Published on March 15, 2021 by Jane", "2021-03-15T00:00:00Z"},
      {"Sept. 3rd, 2021", "2021-09-03T00:00:00Z"},
      {"the 3rd of May 2021", "2021-05-03T00:00:00Z"},
      {"15. M\u00E4rz 2021, 10:30 Uhr", "2021-03-15T10:30:00Z"},
      {"1. J\u00E4nner 2021", "2021-01-01T00:00:00Z"},
      {"1er f\u00E9vrier 2021 \u00E0 10h30", "2021-02-01T10:30:00Z"},
      {"15 ao\u00FBt 2021", "2021-08-15T00:00:00Z"},
      {"15 de marzo de 2021", "2021-03-15T00:00:00Z"},
      {"3 de septiembre del 2021", "2021-09-03T00:00:00Z"},
      {"15 gennaio 2021", "2021-01-15T00:00:00Z"},
      {"15 de mar\u00E7o de 2021", "2021-03-15T00:00:00Z"},
      {"1\u00BA de dezembro de 2021", "2021-12-01T00:00:00Z"},
      {"15 maart 2021", "2021-03-15T00:00:00Z"},
      {"15 pa\u017Adziernika 2021", "2021-10-15T00:00:00Z"},
      {"15. \u0159\u00EDjna 2021", "2021-10-15T00:00:00Z"},
      {"15 A\u011Fustos 2021", "2021-08-15T00:00:00Z"},
      {"15 \u043C\u0430\u0440\u0442\u0430 2021", "2021-03-15T00:00:00Z"},
      {"15 \u042F\u041D\u0412\u0410\u0420\u042F 2021", "2021-01-15T00:00:00Z"},
      {"15 \u0441\u0456\u0447\u043D\u044F 2021", "2021-01-15T00:00:00Z"},
      {"15 \u039C\u03B1\u0390\u03BF\u03C5 2021", "2021-05-15T00:00:00Z"},
      {"15. joulukuuta 2021", "2021-12-15T00:00:00Z"},
      {"15 mars 2021", "2021-03-15T00:00:00Z"},
      {"2021. m\u00E1rcius 15.", "2021-03-15T00:00:00Z"},
      {"15 martie 2021", "2021-03-15T00:00:00Z"},
      {"2021\u5E743\u670815\u65E5", "2021-03-15T00:00:00Z"},
      {"2021\uB144 3\uC6D4 15\uC77C", "2021-03-15T00:00:00Z"},
      {"15.03.2021", "2021-03-15T00:00:00Z"},
      {"Stand: 5. 3. 2021", "2021-03-05T00:00:00Z"},
      {"15.03.21 | 10:30", "2021-03-15T10:30:00Z"},
      {"March 15, 2021 at 1:05 pm", "2021-03-15T13:05:00Z"},
      {"March 15, 2021 12:05 AM", "2021-03-15T00:05:00Z"},
      {"3/4/2021", "2021-04-03T00:00:00Z", DateOrder::day_first},
      {"3/4/2021", "2021-03-04T00:00:00Z", DateOrder::month_first},
      {"3/4/2021", "none", DateOrder::unknown},
      {"3/15/2021", "2021-03-15T00:00:00Z", DateOrder::day_first},
      {"15/3/2021", "2021-03-15T00:00:00Z", DateOrder::month_first},
      {"15 | 03 | 2021", "2021-03-15T00:00:00Z"},
      {"1 | 2 | 3000 results", "none"},
      {"15 | 03 | 21", "none"},
      {"version 1.2.3 of 15.03.2021", "2021-03-15T00:00:00Z"},
      {"99.99.9999 then 15.03.2021", "2021-03-15T00:00:00Z"},
  };
  for (const DateCase& each : kCases)
    EXPECT_EQ(shown(find_date(each.text, each.order)), each.want) << each.text;
}

TEST(SheafOnlyDateText, IsLookedForWhereThereAreDigitsEnough) {
  for (const std::string_view text : {"in 1999", "2021", "01/02/03", "15.03. 21", "a 12, b 10.11"})
    EXPECT_TRUE(may_have_date(text)) << text;
  for (const std::string_view text :
       {"", "F.22. lo", "15.13", "1024 bytes", "12345", "1989", "12 of 13", "1.2.3", "10 11 12"})
    EXPECT_FALSE(may_have_date(text)) << text;
}

TEST(SheafOnlyDateText, ReportsThePositionOfTheDate) {
  const std::string_view text = "By Jane, 15 March 2021 10:30, Berlin";
  const auto date = find_date(text, DateOrder::unknown);
  ASSERT_TRUE(date);
  EXPECT_EQ(text.substr(date->begin, date->end - date->begin), "15 March 2021 10:30");
  EXPECT_TRUE(date->has_clock);
}

TEST(SheafOnlyDateText, ValuesMayHaveAShortLabelOnly) {
  EXPECT_EQ(shown(parse_date_value("Posted: 15 March 2021", DateOrder::unknown)), "2021-03-15T00:00:00Z");
  EXPECT_EQ(
      shown(parse_date_value("All about what happened to all of us on 15 March 2021", DateOrder::unknown)),
      "none");
}

TEST(SheafOnlyDateText, OnlyTheBeginningOfALongTextIsRead) {
  std::string text(1U << 20, 'x');
  text += " 15 March 2021";
  EXPECT_EQ(shown(find_date(text, DateOrder::unknown)), "none");
  EXPECT_EQ(shown(find_date(std::string(1U << 20, '1'), DateOrder::unknown)), "none");
}

TEST(SheafOnlyDateText, OrderFollowsTheLanguage) {
  EXPECT_EQ(date_order_of("en-US"), DateOrder::month_first);
  EXPECT_EQ(date_order_of("en"), DateOrder::month_first);
  EXPECT_EQ(date_order_of("en-GB"), DateOrder::day_first);
  EXPECT_EQ(date_order_of("de"), DateOrder::day_first);
  EXPECT_EQ(date_order_of(""), DateOrder::unknown);
}

TEST(SheafOnlyDateText, DatesInPaths) {
  struct PathCase {
    std::string_view path;
    std::string_view want;
    PathDate form = PathDate::year_first;
  };
  constexpr PathCase kCases[] = {
      {"/2021/03/15/name", "2021-03-15T00:00:00Z"},
      {"/blog/2021/3/5", "2021-03-05T00:00:00Z"},
      {"/news-2021-03-15.html", "2021-03-15T00:00:00Z"},
      {"/20210315/name", "2021-03-15T00:00:00Z"},
      {"/article/35030/20160214/x.htm", "2016-02-14T00:00:00Z"},
      {"/news/2021-03/15/content_1.htm", "2021-03-15T00:00:00Z"},
      {"/news/2021-03/15-reasons", "none"},
      {"/news/2021-3/15/", "none"},
      {"/2021/03/name", "none"},
      {"/2021/03/15-reasons", "none"},
      {"/2021/13/15/", "none"},
      {"/id/12021/03/15/", "none"},
      {"/web/20120216182711/x", "none"},
      {"/1899/03/15/", "none"},
      {"/15-03-2021-name", "none"},
      {"/15-03-2021-name", "2021-03-15T00:00:00Z", PathDate::day_first},
      {"/report_15.03.2021_name", "2021-03-15T00:00:00Z", PathDate::day_first},
      {"/2021/03/15/", "none", PathDate::day_first},
      {"/", "none"},
  };
  for (const PathCase& each : kCases) {
    const auto date = find_path_date(each.path, each.form);
    EXPECT_EQ(date ? format_time(*date) : "none", each.want) << each.path;
  }
}

}  // namespace
}  // namespace sheaf::extract
