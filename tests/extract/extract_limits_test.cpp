// Hostile pages, through the whole extraction. Time is never measured: counts must be bounded by the input,
// and every page must finish within the test's time limit under the sanitizers.
#include "sheaf/extract/content/content_select.h"
#include "sheaf/extract/extract.h"
#include "sheaf/extract/metadata/metadata.h"
#include "sheaf/extract/outline/page_outline.h"
#include "sheaf/format/pages/page_encoder.h"
#include "sheaf/html/parser.h"
#include "support/repeat.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace sheaf::extract {
namespace {

using test::repeat;

constexpr std::string_view kUrl = "https://e.org/page";
constexpr std::string_view kParagraph =
    "<p>This paragraph is what the page has to say, and it is long enough to look like content, with a "
    "comma.</p>";

struct Counts {
  std::size_t blocks = 0;
  std::size_t line = 0;  ///< bytes of the page as JSON
  bool has_paragraph = false;
  html::LimitsHit limits;
};

Counts extract(std::string_view html) {
  Extractor extractor;
  ExtractOptions options;
  options.url = kUrl;
  const Extraction& result = extractor.extract(html, options);
  std::string line;
  format::encode_page(result.page, line);
  EXPECT_FALSE(result.page.title.empty());
  EXPECT_FALSE(result.page.description.empty());
  EXPECT_LE(result.page.content.size(), 1000U);
  // Nothing is written many times over: JSON escapes make six bytes of one at most, titles and descriptions
  // repeat a little of the text.
  EXPECT_LE(line.size(), 6 * html.size() + 10'000);
  return {result.page.content.size(), line.size(), line.find("what the page has to say") != std::string::npos,
          result.limits};
}

/// The parse, the outline and the blocks of a page and of one of twice the pieces: twice the input, at most
/// little more than twice the work.
struct Work {
  std::uint64_t parse_steps = 0;
  std::uint64_t block_steps = 0;
  std::size_t nodes = 0;
  std::size_t regions = 0;
  std::size_t runs = 0;
};

Work work_on(std::string_view html) {
  Work work;
  html::Document document;
  work.parse_steps = html::parse(html, {}, document).steps;
  work.nodes = document.size();
  Arena arena;
  PageOutline outline;
  outline.build(document);
  const Metadata metadata = read_metadata(document, outline, {}, arena);
  ContentSelector selector;
  const ContentMap& content = selector.select(document, outline, {});
  work.regions = outline.regions().size();
  work.runs = outline.runs().size();
  BlockBuilder builder;
  work.block_steps = builder.build(document, content, metadata, {}, arena).steps;
  return work;
}

void expect_linear(std::string_view before, std::string_view piece, std::string_view after,
                   std::size_t count) {
  const auto page = [&](std::size_t n) {
    return std::string(before) + repeat(piece, n) + std::string(kParagraph) + repeat(after, n);
  };
  const Work once = work_on(page(count));
  const Work twice = work_on(page(2 * count));
  EXPECT_LE(twice.parse_steps, 2 * once.parse_steps + once.parse_steps / 10 + 200'000) << piece;
  EXPECT_LE(twice.block_steps, 2 * once.block_steps + once.block_steps / 10 + 10'000) << piece;
  for (const Work& work : {once, twice}) {
    EXPECT_LE(work.block_steps, 2 * work.nodes) << piece;
    EXPECT_LE(work.regions, work.nodes) << piece;
    EXPECT_LE(work.runs, work.nodes) << piece;
  }
}

TEST(SheafOnlyExtractHostile, WorkIsLinear) {
  expect_linear("", "<div>", "</div>", 20'000);
  expect_linear("<ul>", "<li>item", "", 20'000);
  expect_linear("", "<ul><li>", "</ul>", 10'000);
  expect_linear("", "<p>", "", 20'000);
  expect_linear("<p>", "<br>", "", 20'000);
  expect_linear("", "<table><tr><td>", "</table>", 5'000);
  expect_linear("<table>", "<tr><td>a<td>b", "", 10'000);
  expect_linear("", "<blockquote>q", "</blockquote>", 10'000);
  expect_linear("<body>", "<noscript>", "</noscript>", 10'000);
  expect_linear("<body>", "<noscript><p>x</p></noscript>", "", 10'000);
  expect_linear("", "<a href=x><b><i>", "", 10'000);
  expect_linear("", "<h2><a href=#x>y</a></h2>", "", 10'000);
  expect_linear("", "<dl><dt>a<dd>b", "</dl>", 10'000);
  expect_linear("", "<figure><img src=x><figcaption>c", "</figure>", 10'000);
  expect_linear("", "<section class=comments><article>", "", 10'000);
}

TEST(SheafOnlyExtractHostile, NestedDivs) {
  const Counts page = extract(repeat("<div>", 100'000) + std::string(kParagraph) + repeat("</div>", 100'000));
  EXPECT_TRUE(page.has_paragraph);
  EXPECT_TRUE(page.limits.depth);
  EXPECT_LE(page.blocks, 1U);
}

TEST(SheafOnlyExtractHostile, LongAttributes) {
  const std::string value = repeat("0123456789", 1'000'000);
  for (const std::string_view name : {"title", "class", "id", "style", "itemprop"}) {
    const Counts page =
        extract("<div " + std::string(name) + "=\"" + value + "\">" + std::string(kParagraph) + "</div>");
    EXPECT_TRUE(page.has_paragraph) << name;
    EXPECT_LE(page.line, 10'000U) << name;
  }
  // As a URL it would be valid: its size is bounded by the input, and it appears once.
  const Counts image =
      extract(std::string(kParagraph) + "<p><img src=\"" + value + "\" alt=x>" + std::string(kParagraph));
  EXPECT_LE(image.line, value.size() + 10'000);
}

TEST(SheafOnlyExtractHostile, ManyClassesInOneAttribute) {
  std::string names;
  for (int i = 0; i < 200'000; ++i) names += " c" + std::to_string(i);
  EXPECT_TRUE(extract("<div class=\"" + names + "\">" + std::string(kParagraph) + "</div>").has_paragraph);
  EXPECT_TRUE(extract("<div class=\"" + repeat("comment ", 200'000) + "\">x</div>" + std::string(kParagraph))
                  .has_paragraph);
}

TEST(SheafOnlyExtractHostile, AMillionSiblings) {
  EXPECT_TRUE(extract(repeat("<i></i>", 900'000) + std::string(kParagraph)).has_paragraph);
  EXPECT_LE(extract(repeat("<div></div>", 1'000'000) + std::string(kParagraph)).blocks, 1U);
  extract("<body>" + repeat("<img>", 1'000'000));
}

TEST(SheafOnlyExtractHostile, AMillionItems) {
  extract("<ul>" + repeat("<li>", 1'000'000) + "</ul>" + std::string(kParagraph));
  extract("<ul>" + repeat("<li>An item, which says something.", 200'000) + "</ul>");
}

TEST(SheafOnlyExtractHostile, EverythingUnclosed) {
  extract(repeat("<table><tr><td><ul><li><p><b><a href=x><h2>text ", 10'000));
  extract(repeat("<div><span><em><strong>", 50'000) + "text");
  extract("<p title='" + repeat("never closed ", 100'000));
  extract("<script>" + repeat("never closed ", 100'000));
  extract("<!--" + repeat("<p>never closed ", 100'000));
  extract(repeat("<select><option>", 50'000));
}

TEST(SheafOnlyExtractHostile, ATitleOfAMegabyte) {
  Extractor extractor;
  ExtractOptions options;
  options.url = kUrl;
  const std::string html = "<title>" + repeat("title ", 200'000) + "</title>" + std::string(kParagraph);
  const Extraction& result = extractor.extract(html, options);
  EXPECT_LE(result.page.title.size(), 1'200'000U);
  EXPECT_EQ(result.page.content.size(), 1U);
  EXPECT_TRUE(
      extract("<h1>" + repeat("heading ", 200'000) + "</h1>" + std::string(kParagraph)).has_paragraph);
}

TEST(SheafOnlyExtractHostile, EmptyParagraphsAndLineBreaks) {
  const Counts empty = extract(repeat("<p></p>", 100'000) + std::string(kParagraph));
  EXPECT_TRUE(empty.has_paragraph);
  EXPECT_EQ(empty.blocks, 1U);
  extract("<p>a" + repeat("<br>", 50'000) + "b</p>" + std::string(kParagraph));
  extract("<p>" + repeat("a<br>", 50'000) + "</p>" + std::string(kParagraph));
}

TEST(SheafOnlyExtractHostile, OneWordOfTenMegabytes) {
  const Counts page = extract("<p>" + std::string(10'000'000, 'x') + "</p>");
  EXPECT_LE(page.line, 10'010'000U);
}

TEST(SheafOnlyExtractHostile, ThousandsOfParagraphsAreJoinedNotLost) {
  Extractor extractor;
  ExtractOptions options;
  options.url = kUrl;
  std::string html = "<article>";
  for (int i = 0; i < 3'000; ++i)
    html += "<p>Paragraph number " + std::to_string(i) +
            " is one of very many, and each of them says something, however little it is.</p>";
  const Extraction& result = extractor.extract(html, options);
  EXPECT_EQ(result.page.content.size(), 1000U);
  EXPECT_EQ(result.merged_blocks, 2'000U);
  std::string line;
  format::encode_page(result.page, line);
  for (const int i : {0, 999, 1'500, 2'999})
    EXPECT_NE(line.find("Paragraph number " + std::to_string(i) + " "), std::string::npos) << i;
}

TEST(SheafOnlyExtractHostile, LimitsOfTheCallerHold) {
  Extractor extractor;
  ExtractOptions options;
  options.url = kUrl;
  options.limits.nodes = 1'000;
  const std::string html = repeat(kParagraph, 10'000);
  const Extraction& result = extractor.extract(html, options);
  EXPECT_TRUE(result.limits.nodes);
  EXPECT_LE(result.page.content.size(), 500U);
  EXPECT_GE(result.page.content.size(), 400U);
}

}  // namespace
}  // namespace sheaf::extract
