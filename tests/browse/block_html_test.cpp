#include "sheaf/browse/block_html.h"

#include "sheaf/browse/page_body.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sheaf::browse {
namespace {

std::string inline_html(std::string_view text, const std::vector<Inline>& inlines) {
  markup::HtmlWriter out;
  write_inline(out, text, List<Inline>(std::span<const Inline>(inlines)));
  return std::move(out).take();
}

TEST(InlineHtml, RangesNestAndCountUtf16) {
  // U+1F600 is two units.
  EXPECT_EQ(inline_html("\U0001F600 a b", {{2, 6, InlineKind::strong}, {3, 4, InlineKind::em}}),
            "\U0001F600<strong> <em>a</em> b</strong>");
  EXPECT_EQ(inline_html("see x", {{4, 5, InlineKind::link, "javascript:1"}}), "see <span>x</span>");
}

TEST(InlineHtml, RangesThatDoNotFitAreIgnored) {
  EXPECT_EQ(inline_html("abc", {{1, 9, InlineKind::em}, {2, 2, InlineKind::em}, {3, 1, InlineKind::em}}),
            "abc");
  EXPECT_EQ(inline_html("abcd", {{0, 2, InlineKind::em}, {1, 3, InlineKind::code}}), "<em>ab</em>cd");
}

std::string coloured_code(std::string_view code, std::string_view language) {
  markup::HtmlWriter out;
  write_code(out, code, language);
  return std::move(out).take();
}

TEST(CodeColours, KeepEveryCharacter) {
  EXPECT_EQ(
      coloured_code("return 1; // <b>", "cpp"),
      "<span class=\"k\">return</span> <span class=\"n\">1</span>; <span class=\"c\">// &lt;b&gt;</span>");
  EXPECT_EQ(coloured_code("# x\na = 'b'", "python"),
            "<span class=\"c\"># x</span>\na = <span class=\"s\">&#39;b&#39;</span>");
  EXPECT_EQ(coloured_code("it's", "text"), "it&#39;s");
  EXPECT_EQ(coloured_code("/* open", "c"), "<span class=\"c\">/* open</span>");
  EXPECT_EQ(coloured_code("https://a.example", "text"), "https://a.example");
  EXPECT_EQ(coloured_code(std::string(300'000, '"'), "c").find("span"), std::string::npos);
}

TEST(PrettyJson, IsTheSameValue) {
  EXPECT_EQ(pretty_json(R"({"a":[1,"x,{}\""],"b":{}})", 1000).text,
            "{\n  \"a\": [\n    1,\n    \"x,{}\\\"\"\n  ],\n  \"b\": {}\n}");
  EXPECT_EQ(pretty_json("\"\u202E\"", 1000).text, "\"\\u202e\"");
  EXPECT_TRUE(pretty_json(R"(["aaaaaaaaaaaaaaaaaaaa","b"])", 10).is_cut);
}

std::string blocks_html(const std::vector<Block>& blocks) {
  Page page;
  page.content = List<Block>(std::span<const Block>(blocks));
  markup::HtmlWriter out;
  write_blocks(out, page);
  return std::move(out).take();
}

TEST(BlockHtml, EveryKind) {
  const std::vector<Text> items = {"one", "  - two"};
  EXPECT_EQ(blocks_html({{HeadingBlock{1, "H"}, {}}, {TextBlock{"<t>"}, {}}}),
            "<h2 id=\"h0\" dir=\"auto\">H</h2><p dir=\"auto\">&lt;t&gt;</p>");
  EXPECT_NE(blocks_html({{ListBlock{true, List<Text>(std::span<const Text>(items)), 3}, {}}})
                .find("<ol start=\"3\">"),
            std::string::npos);
  const std::string image = blocks_html({{ImageBlock{"https://a.example/x.png", "A cat"}, {}}});
  EXPECT_EQ(image.find("<img"), std::string::npos);
  EXPECT_NE(image.find("href=\"https://a.example/x.png\""), std::string::npos);
  EXPECT_NE(blocks_html({{UnknownBlock{"<x>", R"({"a":"<b>"})"}, {}}}).find("<summary>&lt;x&gt;</summary>"),
            std::string::npos);
}

TEST(BlockHtml, LargeTablesAreCut) {
  const std::vector<Text> row(100, "cell");
  const std::vector<List<Text>> rows(1'000, List<Text>(std::span<const Text>(row)));
  const std::string html =
      blocks_html({{TableBlock{List<List<Text>>(std::span<const List<Text>>(rows))}, {}}});
  EXPECT_LT(html.size(), 500'000U);
  EXPECT_NE(html.find("and 950 rows more"), std::string::npos);
}

TEST(BlockHtml, ManyBlocksAreCut) {
  const std::vector<Block> blocks(kMaxShownBlocks + 7, Block{TextBlock{"x"}, {}});
  EXPECT_NE(blocks_html(blocks).find("and 7 blocks more"), std::string::npos);
}

}  // namespace
}  // namespace sheaf::browse
