#include "sheaf/publish/sources/given_fields.h"

#include <gtest/gtest.h>

namespace sheaf::publish {
namespace {

SourceItem take(std::string_view line, bool taken = true) {
  SourceItem item;
  item.name = "pages.jsonl:1";
  item.kind = ItemKind::page;
  item.bytes = line;
  EXPECT_EQ(take_body_line(item), taken) << line;
  return item;
}

TEST(SheafOnlyBodyLines, HaveFieldsAndABody) {
  const SourceItem html = take(
      R"({"url":"https://e.com/a","title":"A","author":["B","C"],"modified":"2026-01-02 03:04:05","html":"<p>x"})");
  EXPECT_EQ(html.name, "pages.jsonl:1");
  EXPECT_EQ(html.kind, ItemKind::html);
  EXPECT_EQ(html.url, "https://e.com/a");
  EXPECT_EQ(html.given.title, "A");
  EXPECT_EQ(html.given.author, "B, C");
  EXPECT_EQ(format_time(*html.given.modified), "2026-01-02T03:04:05Z");
  EXPECT_EQ(html.bytes, "<p>x");
  EXPECT_TRUE(html.all_content);
  EXPECT_FALSE(take(R"({"url":"https://e.com/a","html":"<!doctype html><title>x</title>"})").all_content);
  EXPECT_EQ(take(R"({"url":"https://e.com/a","markdown":"# x"})").kind, ItemKind::markdown);
  EXPECT_EQ(take(R"({"url":"https://e.com/a","text":"1 < 2\n\nb"})").bytes, "<p>1 &lt; 2<br></p>\n<p>b</p>");
}

TEST(SheafOnlyBodyLines, WhatIsNoneStaysAsItIs) {
  for (const std::string_view line : {"", "[]", "{", "{\"url\":\"x\"}", "{\"url\":\"x\",\"html\":5}"})
    EXPECT_EQ(take(line, false).bytes, line);
}

TEST(SheafOnlyBodyLines, FaultsAndHoldsAreKnown) {
  EXPECT_FALSE(take(R"({"text":"x"})").trouble.empty());
  EXPECT_FALSE(take(R"({"url":"https://e.com/","text":"x","html":"y"})").trouble.empty());
  EXPECT_FALSE(take(R"({"url":"https://e.com/","text":"x","modified":"soon"})").trouble.empty());
  EXPECT_EQ(take(R"({"url":"https://e.com/","text":"x","draft":true})").skip, SkipReason::draft);
  EXPECT_EQ(take(R"({"url":"https://e.com/","text":"x","published":false})").skip, SkipReason::draft);
  EXPECT_EQ(take(R"({"url":"https://e.com/","text":"x","password":"y"})").skip, SkipReason::private_page);
  EXPECT_EQ(take(R"({"url":"https://e.com/","text":"x","robots":["noindex"]})").robots_header, "noindex");
}

}  // namespace
}  // namespace sheaf::publish
