// Links, code, emphasis and formulas as ranges of a text, and the Markdown that is made of them.
#include "sheaf/extract/extract.h"
#include "sheaf/format/pages/page_encoder.h"
#include "sheaf/markdown/page_markdown.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <variant>

namespace sheaf::extract {
namespace {

ExtractOptions with_inlines() {
  ExtractOptions options;
  options.url = "https://e.org/dir/page";
  options.inline_structure = InlineStructure::keep;
  return options;
}

/// The blocks of a page whose main element is all content, as JSON.
std::string content_json(std::string_view html, const ExtractOptions& options = with_inlines()) {
  Extractor extractor;
  const std::string page =
      "<!doctype html><html lang=en><title>T</title><main><h1>T</h1>" + std::string(html) +
      "<p>Some more text is here so that nobody takes this for an empty page, and it ends.</p></main>";
  std::string line;
  format::encode_page(extractor.extract(page, options).page, line);
  const std::size_t begin = line.find("\"text\":\"T\"}");
  const std::size_t end = line.find(",{\"type\":\"text\",\"text\":\"Some more");
  return line.substr(begin + 12, end == std::string::npos ? end : end - begin - 12);
}

/// A Markdown page after a round trip.
std::string through_markdown(std::string_view markdown) {
  Extractor extractor;
  const std::string bytes(markdown);
  ExtractOptions options = with_inlines();
  Page page = extractor.extract_markdown(bytes, options).page;
  page.title = {};
  return markdown::page_markdown(page);
}

TEST(SheafOnlyInline, RangesAreInUtf16Units) {
  EXPECT_EQ(
      content_json("<p>\u00C4\U0001F600 <b>bold</b> and <a href=/x>a <i>link</i></a>, <code>f()</code>.</p>"),
      "{\"type\":\"text\",\"text\":\"\u00C4\U0001F600 bold and a link, f().\",\"inline\":["
      "{\"from\":4,\"to\":8,\"kind\":\"strong\"},"
      "{\"from\":13,\"to\":19,\"kind\":\"link\",\"url\":\"https://e.org/x\"},"
      "{\"from\":15,\"to\":19,\"kind\":\"em\"},{\"from\":21,\"to\":24,\"kind\":\"code\"}]}");
}

TEST(SheafOnlyInline, OnlyOnRequest) {
  ExtractOptions options = with_inlines();
  options.inline_structure = InlineStructure::leave_out;
  EXPECT_EQ(content_json("<p>A <b>b</b>.</p><ol start=3><li>c</ol>", options),
            R"({"type":"text","text":"A b."},{"type":"list","ordered":true,"items":["c"]})");
}

TEST(SheafOnlyInline, ListsAndTablesHaveThemForEachText) {
  EXPECT_EQ(content_json("<ol start=3><li>One <b>b</b><ul><li><code>x</code></ul><li>Two</ol>"),
            R"({"type":"list","ordered":true,"items":["One b","  - x","Two"],"start":3,"inline":[)"
            R"([{"from":4,"to":5,"kind":"strong"}],[{"from":4,"to":5,"kind":"code"}],[]]})");
  EXPECT_EQ(content_json("<table><tr><th>A<th>B<tr><td><code>x</code><td>y</table>"),
            R"({"type":"table","rows":[["A","B"],["x","y"]],"inline":[[[{"from":0,"to":1,"kind":"strong"}],)"
            R"([{"from":0,"to":1,"kind":"strong"}]],[[{"from":0,"to":1,"kind":"code"}],[]]]})");
}

TEST(SheafOnlyInline, TermsTitlesOfBoxesAndHeaderCellsAreStrong) {
  EXPECT_EQ(content_json("<dl><dt>Term<dd>What it means.</dl>"),
            R"({"type":"text","text":"Term\nWhat it means.","inline":[{"from":0,"to":4,"kind":"strong"}]})");
  EXPECT_EQ(
      content_json(
          "<div class='admonition warning'><p class=admonition-title>One folder</p><p>Only one.</p></div>"),
      R"({"type":"text","text":"Warning: One folder","inline":[{"from":0,"to":19,"kind":"strong"}]},)"
      R"({"type":"text","text":"Only one."})");
  EXPECT_EQ(
      content_json("<table><tr><td>1<td>2<tr><th>a<td>b</table>"),
      R"({"type":"table","rows":[["1","2"],["a","b"]],"inline":[[[],[]],[[{"from":0,"to":1,"kind":"strong"}],[]]]})");
}

TEST(SheafOnlyInline, AKindInTheTitleIsNotRepeated) {
  const auto text_of = [](const std::string& classes, const std::string& title) {
    return content_json("<div class='" + classes + "'><p class=admonition-title>" + title + "</p></div>");
  };
  EXPECT_NE(text_of("admonition note", "Note").find(R"("text":"Note")"), std::string::npos);
  EXPECT_NE(text_of("theme-admonition theme-admonition-tip", "tip").find(R"("text":"tip")"),
            std::string::npos);
  EXPECT_NE(text_of("admonition", "Plain").find(R"("text":"Plain")"), std::string::npos);
  EXPECT_NE(
      text_of("markdown-alert markdown-alert-caution", "Read this").find(R"("text":"Caution: Read this")"),
      std::string::npos);
  // An English label would be wrong on a page in another language.
  Extractor extractor;
  const Page& page =
      extractor
          .extract(
              "<html lang=de><main><div class='admonition note'><p class=admonition-title>Hinweis</p></div>",
              with_inlines())
          .page;
  ASSERT_FALSE(page.content.empty());
  EXPECT_EQ(std::get<TextBlock>(page.content[0].kind).text, "Hinweis");
}

TEST(SheafOnlyInline, AFoldedBoxIsHeadedByItsKind) {
  EXPECT_NE(content_json("<details class=tip><summary>More</summary><p>Hidden text.</p></details>")
                .find(R"("text":"Tip: More")"),
            std::string::npos);
  EXPECT_EQ(content_json("<details><summary>More</summary><p>Hidden text.</p></details>"),
            R"({"type":"text","text":"More"},{"type":"text","text":"Hidden text."})");
}

TEST(SheafOnlyInline, HeadingsQuotesAndFormulas) {
  EXPECT_EQ(content_json("<h2><a href=#x>Use <code>f</code></a></h2>"),
            R"({"type":"heading","level":2,"text":"Use f","inline":[{"from":4,"to":5,"kind":"code"}]})");
  EXPECT_EQ(
      content_json("<blockquote><p>So <em>true</em>. <cite>- A. Writer</cite></p></blockquote>"),
      R"({"type":"quote","text":"So true.","citation":"A. Writer","inline":[{"from":3,"to":7,"kind":"em"}]})");
  EXPECT_EQ(content_json(R"(<p>If <span class="math">\(a_1 \leq b\)</span>, go.</p>)"),
            R"({"type":"text","text":"If $a_1 \\leq b$, go.","inline":[{"from":3,"to":15,"kind":"math"}]})");
  EXPECT_EQ(content_json("<p>The 1<sup>st</sup> of x<sup>2</sup>.</p>"),
            "{\"type\":\"text\",\"text\":\"The 1st of "
            "x\u00B2.\",\"inline\":[{\"from\":5,\"to\":7,\"kind\":\"sup\"}]}");
}

TEST(SheafOnlyInline, WhichLinksAreBlocks) {
  ExtractOptions options = with_inlines();
  options.links = LinkBlocks::none;
  EXPECT_EQ(
      content_json("<p><a href=/x>All of it</a></p>", options),
      R"({"type":"text","text":"All of it","inline":[{"from":0,"to":9,"kind":"link","url":"https://e.org/x"}]})");
  options.links = LinkBlocks::content;
  EXPECT_EQ(content_json("<p><a href=/x>All of it</a></p>", options),
            R"({"type":"link","url":"https://e.org/x","text":"All of it"})");
}

TEST(SheafOnlyInline, TheMarkdownOfAPageIsWhatAnAuthorWrites) {
  for (const std::string_view text : {
           "A **bold** and *soft* word, `code()` and [a *link*](https://e.org/a?b=c#d).\n",
           "The energy is $E = mc^2$ and $\\alpha_1 \\leq \\{b\\}$, but \\$5 is a price.\n",
           "3. Three `x`\n4. Four [link](https://e.org/)\n   - inner **b**\n",
           "## Use `f|g` and *more*\n",
           "> Quoted **text**.\n",
           "| A | B |\n| --- | --- |\n| `a` | [l](https://e.org/) |\n",
           "| A | B |\n| --- | --- |\n| **a** | b |\n",
           "|  |  |\n| --- | --- |\n| **a** | b |\n| **c** | d |\n",
           "| `A` | B *c* |\n| --- | --- |\n| a | b |\n",
           "**Term**\\\nWhat it means.\n",
           "**Warning: One folder**\n\nOnly one.\n",
           "> **Note**\n>\n> Text of the note.\n",
           "Nothing! [Link](https://e.org/) <sup>up</sup> un<strong>frigging</strong>believable\n",
       }) {
    const std::string once = through_markdown(text);
    EXPECT_EQ(once == text || text.find("un<strong>") != std::string_view::npos, true) << once;
    EXPECT_EQ(through_markdown(once), once);
  }
}

}  // namespace
}  // namespace sheaf::extract
