#include "sheaf/http/message/conditional.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::http::message {
namespace {

constexpr std::int64_t kModified = 784'111'777;  // Sun, 06 Nov 1994 08:49:37 GMT
constexpr std::int64_t kNow = kModified + 1'000'000;
const Representation kFile{.size = 100, .entity_tag = "\"a\"", .last_modified = kModified};

struct Row {
  std::vector<Field> fields;
  unsigned status;
  std::vector<ByteRange> ranges = {};
};

void expect_rows(Method method, const Representation& file, std::int64_t now, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    std::string text;
    for (const Field& field : row.fields)
      text += std::string(field.name) + ": " + std::string(field.value) + "\n";
    const Decision decision = decide(method, Fields(row.fields), file, now);
    EXPECT_EQ(decision.status, row.status) << text;
    EXPECT_EQ(decision.ranges, row.ranges) << text;
  }
}

constexpr std::string_view kSame = "Sun, 06 Nov 1994 08:49:37 GMT";
constexpr std::string_view kBefore = "Sun, 06 Nov 1994 08:49:36 GMT";
constexpr std::string_view kAfter = "Sun, 06 Nov 1994 08:49:38 GMT";

TEST(SpecConditional, PreconditionsInTheirOrder) {
  const std::vector<Row> rows = {
      {{}, 200},
      {{{"If-None-Match", "\"a\""}}, 304},
      {{{"if-none-match", "W/\"a\""}}, 304},
      {{{"If-None-Match", "\"b\", \"a\""}}, 304},
      {{{"If-None-Match", "\"b\""}, {"If-None-Match", "\"a\""}}, 304},
      {{{"If-None-Match", "*"}}, 304},
      {{{"If-None-Match", "\"b\""}}, 200},
      {{{"If-None-Match", "*, \"a\""}}, 200},
      {{{"If-None-Match", "a"}}, 200},
      {{{"If-Modified-Since", kSame}}, 304},
      {{{"If-Modified-Since", kAfter}}, 304},
      {{{"If-Modified-Since", kBefore}}, 200},
      {{{"If-Modified-Since", "nonsense"}}, 200},
      {{{"If-None-Match", "\"b\""}, {"If-Modified-Since", kSame}}, 200},
      {{{"If-None-Match", "\"a\""}, {"If-Modified-Since", kBefore}}, 304},
      {{{"If-Match", "\"a\""}}, 200},
      {{{"If-Match", "W/\"a\""}}, 412},
      {{{"If-Match", "\"b\""}}, 412},
      {{{"If-Match", "*"}}, 200},
      {{{"If-Match", ""}}, 412},
      {{{"If-Unmodified-Since", kSame}}, 200},
      {{{"If-Unmodified-Since", kBefore}}, 412},
      {{{"If-Unmodified-Since", "nonsense"}}, 200},
      {{{"If-Match", "\"a\""}, {"If-Unmodified-Since", kBefore}}, 200},
      {{{"If-Match", "\"b\""}, {"If-None-Match", "\"a\""}}, 412},
      {{{"If-Match", "\"a\""}, {"If-None-Match", "\"a\""}}, 304},
  };
  expect_rows(Method::get, kFile, kNow, rows);
  expect_rows(Method::head, kFile, kNow, rows);
}

TEST(SpecConditional, RangesOfAFile) {
  expect_rows(Method::get, kFile, kNow,
              {{{{"Range", "bytes=0-9"}}, 206, {{0, 10}}},
               {{{"Range", "bytes=90-"}}, 206, {{90, 10}}},
               {{{"Range", "bytes=-10"}}, 206, {{90, 10}}},
               {{{"Range", "bytes=-1000"}}, 206, {{0, 100}}},
               {{{"Range", "bytes=100-"}}, 416},
               {{{"Range", "bytes=-0"}}, 416},
               {{{"Range", "bytes=0-0,-1"}}, 206, {{0, 1}, {99, 1}}},
               {{{"Range", "bytes=-1,0-0"}}, 206, {{99, 1}, {0, 1}}},
               {{{"Range", "bytes=0-10,5-20"}}, 206, {{0, 21}}},
               {{{"Range", "bytes=0-1,2-3"}}, 206, {{0, 2}, {2, 2}}},
               {{{"Range", "bytes=0-1,200-"}}, 206, {{0, 2}}},
               {{{"Range", "bytes=9-0"}}, 200},
               {{{"Range", "items=0-1"}}, 200},
               {{{"Range", "bytes=0-1"}, {"Range", "bytes=0-1"}}, 200},
               {{{"Range", "bytes=0-1"}, {"If-Range", "\"a\""}}, 206, {{0, 2}}},
               {{{"Range", "bytes=0-1"}, {"If-Range", "W/\"a\""}}, 200},
               {{{"Range", "bytes=0-1"}, {"If-Range", "\"b\""}}, 200},
               {{{"Range", "bytes=0-1"}, {"If-Range", kSame}}, 206, {{0, 2}}},
               {{{"Range", "bytes=0-1"}, {"If-Range", kAfter}}, 200},
               {{{"Range", "bytes=0-1"}, {"If-Range", kBefore}}, 200},
               {{{"Range", "bytes=0-1"}, {"If-Range", "\"a\""}, {"If-Range", "\"a\""}}, 200},
               {{{"Range", "bytes=200-"}, {"If-None-Match", "\"a\""}}, 304}});
}

TEST(SpecConditional, HeadHasNoRanges) {
  expect_rows(Method::head, kFile, kNow, {{{{"Range", "bytes=0-1"}}, 200}});
}

TEST(SpecConditional, ATimeOfTheCurrentSecondIsNotAStrongValidator) {
  expect_rows(Method::get, kFile, kModified, {{{{"Range", "bytes=0-1"}, {"If-Range", kSame}}, 200}});
  expect_rows(Method::get, kFile, kModified + 1,
              {{{{"Range", "bytes=0-1"}, {"If-Range", kSame}}, 206, {{0, 2}}}});
}

TEST(SpecConditional, WithoutValidatorsOnlyAnyMatches) {
  const Representation bare{.size = 10};
  expect_rows(Method::get, bare, kNow,
              {{{{"If-None-Match", "\"a\""}}, 200},
               {{{"If-None-Match", "\"\""}}, 200},
               {{{"If-None-Match", "*"}}, 304},
               {{{"If-Match", "\"a\""}}, 412},
               {{{"If-Match", "*"}}, 200},
               {{{"If-Modified-Since", kSame}}, 200},
               {{{"If-Unmodified-Since", kBefore}}, 200},
               {{{"Range", "bytes=0-1"}, {"If-Range", kSame}}, 200}});
}

TEST(SpecConditional, PartsOfNothing) {
  const Representation empty{.size = 0, .entity_tag = "\"e\""};
  expect_rows(Method::get, empty, kNow,
              {{{{"Range", "bytes=0-"}}, 416},
               {{{"Range", "bytes=-5"}}, 200},
               {{{"Range", "bytes=-0"}}, 416},
               {{{"Range", "bytes=-5,0-"}}, 416}});
}

TEST(ByteRange, NumbersThatOverflowAreTheLargest) {
  const auto specs = parse_range_header("bytes=1-18446744073709551616");
  ASSERT_TRUE(specs);
  EXPECT_EQ(resolve_ranges(*specs, UINT64_MAX), (std::vector<ByteRange>{{1, UINT64_MAX - 1}}));
  EXPECT_TRUE(resolve_ranges(*parse_range_header("bytes=99999999999999999999-"), UINT64_MAX).empty());
}

TEST(ByteRange, AtMostAHundred) {
  std::string text = "bytes=0-0";
  for (int i = 1; i < 100; ++i) text += "," + std::to_string(2 * i) + "-" + std::to_string(2 * i);
  ASSERT_TRUE(parse_range_header(text));
  EXPECT_EQ(resolve_ranges(*parse_range_header(text), 1'000).size(), 100U);
  EXPECT_FALSE(parse_range_header(text + ",300-300"));
}

TEST(ByteRange, EmptyElementsArePassedOver) {
  const std::vector<RangeSpec> expected = {{0, 1}, {std::nullopt, 5}};
  EXPECT_EQ(parse_range_header("bytes=,0-1, ,-5,"), expected);
  for (const char* text : {"", "bytes", "bytes=", "bytes=,", "bytes=-", "bytes=1", "bytes=1-2-3", "bytes=a-",
                           "bytes=-a", "bytes=1 -2", "=0-1", "bytes 0-1"})
    EXPECT_FALSE(parse_range_header(text)) << text;
}

TEST(EntityTag, OneAlone) {
  EXPECT_EQ(parse_entity_tag("\"\"")->opaque, "");
  EXPECT_EQ(parse_entity_tag("W/\"x y\""), std::nullopt);
  EXPECT_TRUE(parse_entity_tag("W/\"x\"")->weak);
  EXPECT_EQ(parse_entity_tag("\"\xC3\xA9\"")->opaque, "\xC3\xA9");
  for (const char* text : {"", "\"", "x", "w/\"x\"", "\"x\" ", "\"x\"y", "W/x", "W/ \"x\"", "\"a\"b\""})
    EXPECT_FALSE(parse_entity_tag(text)) << text;
}

TEST(EntityTag, Lists) {
  EXPECT_TRUE(parse_tag_list(" * ")->any);
  EXPECT_EQ(parse_tag_list("\"a\",W/\"b\"\t, \"c\"")->tags.size(), 3U);
  EXPECT_EQ(parse_tag_list(",,\"a\",,")->tags.size(), 1U);
  EXPECT_EQ(parse_tag_list("\"a,b\"")->tags.size(), 1U);
  for (const char* text : {"", ",", "a", "\"a\" \"b\"", "\"a\",b", "\"a\",*", "**", "\"a"})
    EXPECT_FALSE(parse_tag_list(text)) << text;
}

}  // namespace
}  // namespace sheaf::http::message
