#include "sheaf/site/site_text.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace sheaf::site {
namespace {

std::string read(std::string_view text) {
  const auto time = parse_lastmod(text);
  return time ? format_time(*time) : "none";
}

// The W3C's "Date and Time Formats", which sitemaps.org names.
TEST(SpecLastmod, W3cForms) {
  EXPECT_EQ(read("1997"), "1997-01-01T00:00:00Z");
  EXPECT_EQ(read("1997-07"), "1997-07-01T00:00:00Z");
  EXPECT_EQ(read("1997-07-16"), "1997-07-16T00:00:00Z");
  EXPECT_EQ(read("1997-07-16T19:20+01:00"), "1997-07-16T18:20:00Z");
  EXPECT_EQ(read("1997-07-16T19:20:30+01:00"), "1997-07-16T18:20:30Z");
  EXPECT_EQ(read("1997-07-16T19:20:30.45+01:00"), "1997-07-16T18:20:30.45Z");
}

TEST(Lastmod, FormsOfRealSitemaps) {
  EXPECT_EQ(read("2026-01-15 10:20:30"), "2026-01-15T10:20:30Z");
  EXPECT_EQ(read("2026-01-15 10:20:30 +0200"), "2026-01-15T08:20:30Z");
  EXPECT_EQ(read("2026-01-15T10:20:30+0200"), "2026-01-15T08:20:30Z");
  EXPECT_EQ(read("2026-01-15T10:20:30-02"), "2026-01-15T12:20:30Z");
  EXPECT_EQ(read("2026-01-15T10:20"), "2026-01-15T10:20:00Z");
  EXPECT_EQ(read("2026-01-15T10:20:30 UTC"), "2026-01-15T10:20:30Z");
  EXPECT_EQ(read("2026-01-15t10:20:30z"), "2026-01-15T10:20:30Z");
}

TEST(Lastmod, EverythingElseIsInvalid) {
  for (const char* text : {"",
                           "20",
                           "202",
                           "2026-",
                           "2026-1",
                           "2026-13",
                           "2026-1-5",
                           "2026-02-30",
                           "2026-01-15T",
                           "2026-01-15 ",
                           "2026-01-15T10",
                           "2026-01-15T25:00",
                           "2026-01-15T10:20:30+",
                           "2026-01-15T10:20:30+2",
                           "2026-01-15Z",
                           "2026-01-15T10:20:30+02:0",
                           "2026-01-15T10:20:30Zx",
                           "15.01.2026",
                           "Thu, 15 Jan 2026 10:20:30 GMT",
                           "0"})
    EXPECT_EQ(read(text), "none") << text;
  EXPECT_EQ(read("2026-01-15T10:20:30." + std::string(500, '1') + "+0200"), "none");
}

}  // namespace
}  // namespace sheaf::site
