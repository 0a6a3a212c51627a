#include "sheaf/export/exporter.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::exporting {
namespace {

std::string line_of(const std::string& json) {
  store::StoredPage page;
  page.site = "https://example.com";
  page.section = "a\"b";
  page.json = json;
  page.fetched = {1'000'000'000, 0};
  std::string out = "before ";
  append_page_line(out, page);
  return out;
}

const std::string kFrom =
    R"("sheaf":{"site":"https://example.com","section":"a\"b","fetched":"2001-09-09T01:46:40Z"}})";

TEST(PageLine, AddsOneMemberAtTheEnd) {
  EXPECT_EQ(line_of(R"({"url":"u","content":[{}]})"), R"(before {"url":"u","content":[{}],)" + kFrom);
  EXPECT_EQ(line_of(R"({"url":"u" } )"), R"(before {"url":"u" ,)" + kFrom);
}

TEST(PageLine, AMemberOfThatNameIsReplaced) {
  const std::string without = R"(before {"url":"u","x":{"sheaf":1},)" + kFrom;
  EXPECT_EQ(line_of(R"({"sheaf":{"site":"https://victim.example"},"url":"u","x":{"sheaf":1}})"), without);
  EXPECT_EQ(line_of(R"({"url":"u", "\u0073heaf":[1], "x":{"sheaf":1},"sheaf":2})"), without);
  EXPECT_EQ(line_of(R"({"url":"u","she\u0061\u0066":"}","x":{"sheaf":1}})"), without);
}

TEST(PageLine, OtherMembersStayAsTheyCame) {
  const std::string json = R"({"url":"sheaf","sheaf ":1,"\u0073hea":2,"sheaf\n":3,"\\u0073heaf":4,"Sheaf":5)";
  EXPECT_EQ(line_of(json + "}"), "before " + json + "," + kFrom);
}

}  // namespace
}  // namespace sheaf::exporting
