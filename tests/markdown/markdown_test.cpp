#include "sheaf/markdown/markdown.h"

#include "sheaf/extract/extract.h"
#include "sheaf/markdown/page_markdown.h"
#include "support/repeat.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <thread>
#include <variant>
#include <vector>

namespace sheaf::markdown {
namespace {

class SheafOnlyMarkdown : public testing::Test {
 protected:
  const extract::Extraction& extract(std::string_view text,
                                     std::string_view url = "https://example.com/docs/page.md") {
    text_ = text;
    return extractor_.extract_markdown(text_, {.url = url});
  }
  template <class T>
  const T& block(std::size_t index) {
    const auto* found = std::get_if<T>(&extractor_page().content[index].kind);
    EXPECT_NE(found, nullptr) << "block " << index << " is a " << type_name(extractor_page().content[index]);
    static const T kNone{};
    return found == nullptr ? kNone : *found;
  }
  const Page& extractor_page() {
    return extractor_.extract_markdown(text_, {.url = "https://example.com/docs/page.md"}).page;
  }

  std::string text_;
  extract::Extractor extractor_;
};

TEST_F(SheafOnlyMarkdown, EveryKindOfBlock) {
  const Page& page =
      extract(
          "# Title\n\nA *text* with [a link](x.html).\nSoft\\\nhard.\n\n- one\n- two\n  1. deep\n\n"
          "```Python title=\"x\"\nprint(1)\n```\n\n| a | b |\n|---|---|\n| 1 | 2 \\| 3 |\n\n> Said.\n>\n> "
          "Twice.\n\n"
          "[Alone](../alone.html)\n\n![Alt](pic.png)\n")
          .page;
  ASSERT_EQ(page.content.size(), 8U);
  EXPECT_EQ(block<HeadingBlock>(0).text, "Title");
  EXPECT_EQ(block<TextBlock>(1).text, "A text with a link. Soft\nhard.");
  EXPECT_EQ(block<ListBlock>(2).items.size(), 3U);
  EXPECT_EQ(block<ListBlock>(2).items[2], "  1. deep");
  EXPECT_EQ(block<CodeBlock>(3).language, "python");
  EXPECT_EQ(block<CodeBlock>(3).code, "print(1)");
  EXPECT_EQ(block<TableBlock>(4).rows[1][1], "2 | 3");
  EXPECT_EQ(block<QuoteBlock>(5).text, "Said.\n\nTwice.");
  EXPECT_EQ(block<LinkBlock>(6).url, "https://example.com/alone.html");
  EXPECT_EQ(block<ImageBlock>(7).url, "https://example.com/docs/pic.png");
}

TEST_F(SheafOnlyMarkdown, GitHubsAdditions) {
  const Page& page =
      extract("- [x] done\n- [ ] open\n\n~~gone~~ www.example.com\n\nNote[^n].\n\n[^n]: The *note*.\n").page;
  ASSERT_EQ(page.content.size(), 4U);
  EXPECT_EQ(block<ListBlock>(0).items[0], "[x] done");
  EXPECT_EQ(block<ListBlock>(0).items[1], "[ ] open");
  EXPECT_EQ(block<TextBlock>(1).text, "gone www.example.com");
  EXPECT_EQ(block<TextBlock>(2).text, "Note[1].");
  EXPECT_EQ(block<ListBlock>(3).items[0], "The note.");
}

TEST_F(SheafOnlyMarkdown, DefinitionListsAreThoseOfHtml) {
  constexpr std::string_view kMarkdown =
      "Text.\n\n*Apple*\n:   A fruit with `seeds`.\n\n    It grows.\n\nOrange\nLemon\n: Another.\n: "
      "Sour.\n\nEnd.\n";
  constexpr std::string_view kHtml =
      "<p>Text.</p><dl><dt><em>Apple</em></dt><dd><p>A fruit with <code>seeds</code>.</p><p>It "
      "grows.</p></dd>"
      "<dt>Orange</dt><dt>Lemon</dt><dd>Another.</dd><dd>Sour.</dd></dl><p>End.</p>";
  extract::Extractor other;
  const Page& expected = other.extract_markdown(kHtml, {.url = "https://example.com/docs/page.md"}).page;
  const Page& page = extract(kMarkdown).page;
  ASSERT_EQ(page.content.size(), expected.content.size());
  for (std::size_t i = 0; i < page.content.size(); ++i)
    EXPECT_TRUE(page.content[i] == expected.content[i]) << i;
  EXPECT_EQ(block<TextBlock>(1).text, "Apple\nA fruit with seeds.");
}

TEST_F(SheafOnlyMarkdown, RawHtmlIsReadButScriptsAndStylesAreNot) {
  const Page& page = extract(
                         "<div>Raw <b>HTML</b></div>\n\n<script>alert('leak')</script>\n\n<style>\n\np { "
                         "leak: 1 }\n\n</style>\n\n"
                         "<!-- leak -->\n\n<template>leak</template>\n\nA "
                         "<script>leak</script>text</body></html><frameset>\n\n<title>leak</title>\n")
                         .page;
  for (const Block& item : page.content) {
    const auto* text = std::get_if<TextBlock>(&item.kind);
    ASSERT_NE(text, nullptr);
    EXPECT_EQ(text->text.find("leak"), std::string_view::npos) << text->text;
  }
  ASSERT_EQ(page.content.size(), 2U);
  EXPECT_EQ(block<TextBlock>(0).text, "Raw HTML");
  EXPECT_EQ(block<TextBlock>(1).text, "A text");
}

TEST_F(SheafOnlyMarkdown, AllOfItIsContent) {
  const Page& page = extract("Home\n\nCopyright 2024\n\nRead more\n\n- [a](a)\n- [b](b)\n").page;
  EXPECT_EQ(page.content.size(), 4U);
}

TEST_F(SheafOnlyMarkdown, RequiredFieldsFromFrontMatterThenFromThePage) {
  const extract::Extraction& named =
      extract("---\ntitle: Named\ndescription: Said\nlang: de\ndate: 2024-01-02\n---\n# Heading\n\nText.");
  EXPECT_EQ(named.page.title, "Named");
  EXPECT_EQ(named.page.description, "Said");
  EXPECT_EQ(named.page.language, "de");
  EXPECT_EQ(named.page.published, "2024-01-02T00:00:00Z");
  EXPECT_EQ(named.page.modified, "2024-01-02T00:00:00Z");
  EXPECT_EQ(named.page.content.size(), 2U);  // the heading stays: it is part of the page
  EXPECT_EQ(extract("Some words.\n\n## Second\n\n# First").page.title, "First");
  EXPECT_EQ(extractor_.extract_markdown("words", {.file_name = "my-file.md"}).page.title, "my file");
  EXPECT_EQ(extractor_.extract_markdown("words", {.file_name = "2024-05-01-x.md"}).page.published,
            "2024-05-01T00:00:00Z");
  const extract::Extraction& bad_name = extractor_.extract_markdown("words", {.file_name = "a\xFF%FF.md"});
  EXPECT_EQ(bad_name.page.title, "a\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST_F(SheafOnlyMarkdown, TheUrlInTheFrontMatter) {
  EXPECT_EQ(extract("---\npermalink: /about/\n---\nx").permalink, "https://example.com/about/");
  EXPECT_EQ(extract("---\npermalink: /about/\n---\nx").page.url, "https://example.com/docs/page.md");
  EXPECT_EQ(extract("---\nslug: other\n---\nx").permalink, "https://example.com/docs/other");
  for (const char* slug : {"other", "other/"})
    EXPECT_EQ(extract(fmt::format("---\nslug: {}\n---\nx", slug), "https://example.com/docs/page/").permalink,
              "https://example.com/docs/other/");
  EXPECT_EQ(extract("---\nslug: /top\n---\nx", "https://example.com/docs/page/").permalink,
            "https://example.com/top");
  EXPECT_EQ(extractor_.extract_markdown("---\nurl: https://e.org/a\n---\nx", {}).page.url, "https://e.org/a");
  EXPECT_EQ(extractor_.extract_markdown("---\nurl: /a\n---\nx", {}).page.url, "");
}

TEST_F(SheafOnlyMarkdown, FaultsAndDraftsReachTheResultAndDoNotStay) {
  const extract::Extraction& bad = extract("---\ndraft: true\nx: [\n---\nText.");
  EXPECT_FALSE(bad.verdict.is_public());
  EXPECT_EQ(bad.problems.size(), 1U);
  ASSERT_EQ(bad.page.content.size(), 1U);
  const extract::Extraction& good = extract("Text.");
  EXPECT_TRUE(good.verdict.is_public());
  EXPECT_TRUE(good.problems.empty());
  EXPECT_TRUE(good.permalink.empty());
}

TEST_F(SheafOnlyMarkdown, TextIsUtf8WhateverItSaysOfOthers) {
  const extract::Extraction& result = extract("Use `<meta charset=\"shift_jis\">`: \xC3\xA4");
  EXPECT_EQ(result.encoding, encoding::Encoding::utf_8);
  EXPECT_FALSE(result.malformed_bytes);
  EXPECT_TRUE(extract("a\xFF").malformed_bytes);
  EXPECT_EQ(extractor_.extract_markdown("\xE4", {.content_type = "text/markdown; charset=latin1"}).page.title,
            "");
  const std::string utf16("\xFF\xFEH\0i\0", 6);
  const extract::Extraction& bom = extractor_.extract_markdown(utf16, {});
  ASSERT_EQ(bom.page.content.size(), 1U);
  EXPECT_EQ(std::get<TextBlock>(bom.page.content[0].kind).text, "Hi");
}

TEST_F(SheafOnlyMarkdown, NothingIsTooStrange) {
  EXPECT_TRUE(extract("").page.content.empty());
  EXPECT_TRUE(extract(" \n\t\n").page.content.empty());
  EXPECT_EQ(extract(std::string("a\0b", 3)).page.content.size(), 1U);
  EXPECT_EQ(extract(std::string(2000, '>') + " deep").page.content.size(), 1U);
  EXPECT_EQ(extract(std::string(2000, '[')).page.content.size(), 1U);
  html::ParseLimits limits;
  limits.input_bytes = 5;
  const extract::Extraction& cut = extractor_.extract_markdown("abc\xC3\xA4\xC3\xA4", {.limits = limits});
  EXPECT_TRUE(cut.limits.input_bytes);
  EXPECT_EQ(std::get<TextBlock>(cut.page.content[0].kind).text, "abc\xC3\xA4");
}

// The library creates a node for a few bytes, and all nodes before they can be counted.
TEST_F(SheafOnlyMarkdown, MarksAreBoundedLikeNodes) {
  html::ParseLimits limits;
  limits.nodes = 100;
  const std::string items = test::repeat("- a\n", 1000);
  const extract::Extraction& cut = extractor_.extract_markdown(items, {.limits = limits});
  EXPECT_TRUE(cut.limits.nodes);
  ASSERT_EQ(cut.page.content.size(), 1U);
  EXPECT_LE(std::get<ListBlock>(cut.page.content[0].kind).items.size(), 50U);
  EXPECT_FALSE(extractor_.extract_markdown(items, {}).limits.nodes);
  // Each w may begin a URL and ends a text node.
  const auto& words = extractor_.extract_markdown(test::repeat("word ", 1000), {.limits = limits});
  EXPECT_TRUE(words.limits.nodes);
  EXPECT_EQ(words.page.content.size(), 1U) << "the start of a line that is too long is kept";
  // Long texts without marks are not cut.
  EXPECT_FALSE(extractor_.extract_markdown(std::string(5000, 'a'), {.limits = limits}).limits.any());
}

TEST_F(SheafOnlyMarkdown, ATableCannotAskForAnyNumberOfCells) {
  std::string text;
  for (int i = 0; i < 900; ++i) text += "|a";
  text += "|\n";
  for (int i = 0; i < 900; ++i) text += "|-";
  text += "|\n";
  for (int i = 0; i < 20'000; ++i) text += "|b\n";
  std::string html;
  render_markdown(text, html);
  EXPECT_LT(html.size(), 10 * text.size());
  EXPECT_EQ(html.find("<table"), std::string::npos);
  // One row that is too wide is enough.
  render_markdown("|a|b|\n|-|-|\n|" + std::string(1001, '|') + "\n", html);
  EXPECT_EQ(html.find("<table"), std::string::npos);
  // A large one that is written out is a table.
  text = "|a|b|c|\n|-|-|-|\n";
  for (int i = 0; i < 20'000; ++i) text += "|1|2|3|\n";
  render_markdown(text, html);
  EXPECT_NE(html.find("<table"), std::string::npos);
}

TEST_F(SheafOnlyMarkdown, ThreadsDoNotDisturbOneAnother) {
  const std::string text = "~~gone~~ www.example.com and http://example.com, " + std::string(2000, 'w') +
                           " ~x~\n\n| a | b |\n|-|-|\n| ~~c~~ | d |\n";
  std::string expected;
  render_markdown(text, expected);
  EXPECT_NE(expected.find("<del>"), std::string::npos);
  std::vector<int> wrong(4);
  {
    std::vector<std::jthread> threads;
    for (int& count : wrong)
      threads.emplace_back([&] {
        std::string html;
        for (int i = 0; i < 300; ++i) {
          render_markdown(text, html);
          count += html == expected ? 0 : 1;
        }
      });
  }
  EXPECT_EQ(wrong, std::vector<int>(4));
}

}  // namespace
}  // namespace sheaf::markdown
