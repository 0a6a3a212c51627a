#include "sheaf/http/fetch/fetch_body.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::http::fetch {
namespace {

using namespace std::string_literals;

constexpr std::string_view kDate = "Sun, 06 Nov 1994 08:49:37 GMT";

TEST(Validators, KeepWhatHasTheProperForm) {
  const Validators strong(R"("abc-123")", kDate);
  EXPECT_EQ(strong.etag(), R"("abc-123")");
  EXPECT_EQ(strong.last_modified(), kDate);
  EXPECT_EQ(Validators(R"(W/"abc")", "").etag(), R"(W/"abc")");
  EXPECT_EQ(Validators(R"("")", "").etag(), R"("")");
}

TEST(Validators, DropEveryControlCharacterAndEveryByteBeyondAscii) {
  for (int byte = 0; byte < 256; ++byte) {
    if (byte > ' ' && byte <= '~') continue;
    const std::string tag = "\"a"s + static_cast<char>(byte) + "b\"";
    EXPECT_EQ(Validators(tag, "").etag(), "") << byte;
    const std::string date = std::string(kDate) + static_cast<char>(byte);
    EXPECT_EQ(Validators("", date).last_modified(), "") << byte;
  }
}

TEST(Validators, DropInvalidTagsAndDates) {
  for (const char* const tag : {"abc", "\"abc", "abc\"", "\"a\"b\"", "\"a\", \"b\"", "*", "w/\"abc\""})
    EXPECT_EQ(Validators(tag, "").etag(), "") << tag;
  for (const char* const date : {"yesterday", "0", "-1", "2024-01-01T00:00:00Z", "Sun, 06 Nov 1994"})
    EXPECT_EQ(Validators("", date).last_modified(), "") << date;
  EXPECT_TRUE(Validators("abc", "yesterday").empty());
}

TEST(Validators, BoundTheLengthOfATag) {
  const std::string longest = '"' + std::string(kEntityTagBytes - 2, 'a') + '"';
  EXPECT_EQ(Validators(longest, "").etag(), longest);
  const std::string longer = '"' + std::string(kEntityTagBytes - 1, 'a') + '"';
  EXPECT_EQ(Validators(longer, "").etag(), "");
}

TEST(Validators, ComeFromAHeadAndGoIntoARequest) {
  FetchHead head;
  head.headers = {{"etag", "\"x\""}, {"last-modified", std::string(kDate)}};
  std::vector<std::pair<std::string, std::string>> headers;
  Validators(head).add_conditions(headers);
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"If-None-Match", "\"x\""}, {"If-Modified-Since", std::string(kDate)}};
  EXPECT_EQ(headers, expected);
  headers.clear();
  Validators("\"x\001\"", "never").add_conditions(headers);
  EXPECT_TRUE(headers.empty());
}

}  // namespace
}  // namespace sheaf::http::fetch
