#include "sheaf/markdown/page_markdown.h"

#include "sheaf/extract/extract.h"

#include <gtest/gtest.h>

#include <sheaf/page.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::markdown {
namespace {

std::string markdown_of(const Block& block) {
  Page page;
  page.content = List<Block>(&block, 1);
  return page_markdown(page);
}

std::string markdown_of_text(std::string_view text) { return markdown_of({TextBlock{text}, {}}); }

/// Written as Markdown and read again, the blocks are the same.
void expect_round_trip(const std::vector<Block>& blocks) {
  Page page;
  page.content = List<Block>(blocks.data(), blocks.size());
  const std::string markdown = page_markdown(page);
  extract::Extractor extractor;
  const extract::Extraction& again = extractor.extract_markdown(markdown, {.url = "https://example.com/"});
  EXPECT_TRUE(again.problems.empty()) << markdown;
  ASSERT_EQ(again.page.content.size(), blocks.size()) << markdown;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    EXPECT_TRUE(again.page.content[i] == blocks[i]) << "block " << i << " of\n" << markdown;
}

TEST(SheafOnlyPageMarkdown, TextsThatMarkdownWouldMisread) {
  for (const std::string_view text : {"plain words",
                                      "# no heading",
                                      "#hashtag",
                                      "1. no item",
                                      "12) no item",
                                      "1.5 litres",
                                      "- no item",
                                      "+ no item",
                                      "-5 degrees",
                                      "--- no rule",
                                      "---",
                                      "===",
                                      "a\n===",
                                      "a\n---",
                                      "***",
                                      "* * *",
                                      "___",
                                      "> no quote",
                                      "`code`",
                                      "``` no fence",
                                      "~~~",
                                      "~~gone~~",
                                      "*a* _b_ __c__ snake_case_name",
                                      "[a](b)",
                                      "![a](b)",
                                      "[a]: b",
                                      "[^1]: b",
                                      "<b>no tag</b>",
                                      "<!-- -->",
                                      "a &amp; b &copy; &#65; AT&T",
                                      "back\\slash \\* \\",
                                      "a | b\n- | -",
                                      "a\n:-:",
                                      "| a |",
                                      ":- x",
                                      ": no definition",
                                      "a\n: no definition",
                                      "{\"a\": 1}",
                                      "+++",
                                      "http://example.com/a_b*c",
                                      "see http://e.com/*x* now",
                                      "https://example.com/",
                                      "www.example.com",
                                      "http://a.b(http://c*d)",
                                      "mail me@example.com now",
                                      "a\nb\nc",
                                      "C#",

                                      "a\\\nb",
                                      "2024\n1. x",
                                      "$\\frac{a}{b}$",
                                      "&lt;",
                                      "[x] task",
                                      "!",
                                      "\\[",
                                      "a_",
                                      "_a",
                                      "*",
                                      "_",
                                      "\\",
                                      "<",
                                      "a<br>b",
                                      "ftp://x.y/_",
                                      "HTTP://EXAMPLE.COM/*",
                                      "at www.example.com/a_b\nnext",
                                      "at http://example.com/\nnext",
                                      "==",
                                      "=",
                                      "1.",
                                      "1)",
                                      "-",
                                      "+",
                                      ">",
                                      "#",
                                      "{",
                                      "|",
                                      ":-",
                                      "\xC3\xA4_\xC3\xB6_\xC3\xBC"}) {
    expect_round_trip({{TextBlock{text}, {}}});
    expect_round_trip({{HeadingBlock{2, "h"}, {}}, {TextBlock{text}, {}}, {TextBlock{text}, {}}});
    expect_round_trip({{QuoteBlock{text, std::nullopt}, {}}});
    const std::array<Text, 2> items = {text, "last"};
    expect_round_trip({{ListBlock{false, items}, {}}, {TextBlock{text}, {}}});
    if (text.find('\n') == std::string_view::npos)
      expect_round_trip({{HeadingBlock{3, text}, {}}, {TextBlock{"x"}, {}}});
    const std::array<Text, 2> head = {text, "b"};
    const std::array<Text, 2> row = {"c", text};
    const std::array<List<Text>, 2> rows = {List<Text>(head), List<Text>(row)};
    expect_round_trip({{TableBlock{rows}, {}}});
  }
}

TEST(SheafOnlyPageMarkdown, IsEasyToRead) {
  EXPECT_EQ(markdown_of_text("AT&T has 1.5 litres of snake_case #1 - a > b, see http://example.com/a_b."),
            "AT&T has 1.5 litres of snake_case #1 - a > b, see http://example.com/a_b.\n");
  EXPECT_EQ(markdown_of_text("one\ntwo"), "one\\\ntwo\n");
}

TEST(SheafOnlyPageMarkdown, ListsInLists) {
  const std::array<Text, 9> items = {"a",           "  - b", "    1. c", "    2. d", "  - e\nmore",
                                     "  rest of a", "f",     "  3. g",   "  7. h"};
  expect_round_trip({{ListBlock{true, items}, {}}});
  expect_round_trip({{ListBlock{false, items}, {}}});
  const std::array<Text, 2> deep_first = {"    - x", "y"};
  expect_round_trip({{ListBlock{false, deep_first}, {}}});
  const std::array<Text, 4> parted = {"a", "  more of a", "  and more", "b"};
  expect_round_trip({{ListBlock{false, parted}, {}}});
  const std::array<Text, 2> other = {"p", "q"};
  expect_round_trip({{ListBlock{false, other}, {}},
                     {ListBlock{false, other}, {}},
                     {ListBlock{false, other}, {}},
                     {ListBlock{true, other}, {}},
                     {ListBlock{true, other}, {}}});
}

TEST(SheafOnlyPageMarkdown, FootnotesAreFootnotes) {
  const std::array<Text, 2> notes = {"The first.\nIts second line.", "See https://example.com/ for more."};
  const std::array<Text, 2> items = {"An item[1]", "Another"};
  const std::vector<Block> blocks = {{TextBlock{"Said[1] twice[1]. Not [3]."}, {}},
                                     {ListBlock{false, items}, {}},
                                     {QuoteBlock{"Quoted[2].", std::nullopt}, {}},
                                     {ListBlock{true, notes}, {}}};
  expect_round_trip(blocks);
  Page page;
  page.content = List<Block>(blocks.data(), blocks.size());
  EXPECT_EQ(page_markdown(page),
            "Said[^1] twice[^1]. Not \\[3\\].\n\n- An item[^1]\n- Another\n\n> Quoted[^2].\n\n"
            "[^1]: The first.\\\n    Its second line.\n\n[^2]: See https://example.com/ for more.\n");
}

TEST(SheafOnlyPageMarkdown, AMarkBeforeAColonIsNotTheNote) {
  const std::array<Text, 2> notes = {"The first.", "The second."};
  expect_round_trip({{TextBlock{"Said[1] and[2]."}, {}},
                     {TextBlock{"[2]: this is a text."}, {}},
                     {TextBlock{"Here[1]: one too."}, {}},
                     {ListBlock{true, notes}, {}}});
}

TEST(SheafOnlyPageMarkdown, ListsThatAreNoFootnotes) {
  const std::array<Text, 2> items = {"a", "b"};
  const std::array<Text, 2> nested = {"a", "  - b"};
  const Block list{ListBlock{true, items}, {}};
  // Not all items, not in order, not the last block, not ordered, lists in lists.
  expect_round_trip({{TextBlock{"Only[1]."}, {}}, list});
  expect_round_trip({{TextBlock{"First[2], then[1]."}, {}}, list});
  expect_round_trip({{TextBlock{"One[1], two[2]."}, {}}, list, {TextBlock{"x"}, {}}});
  expect_round_trip({{TextBlock{"One[1], two[2]."}, {}}, {ListBlock{false, items}, {}}});
  expect_round_trip({{TextBlock{"One[1], two[2]."}, {}}, {ListBlock{true, nested}, {}}});
  EXPECT_EQ(markdown_of({ListBlock{true, items, 3}, {}}), "3. a\n4. b\n");
}

TEST(SheafOnlyPageMarkdown, FootnotesThroughExtraction) {
  constexpr std::string_view kMarkdown =
      "Some *text*[^a] and `a[2]`[^b].\n\n[^a]: With a [link](https://example.com/x).\n\n[^b]: The second.\n";
  extract::Extractor extractor;
  const Page& page = extractor
                         .extract_markdown(kMarkdown, {.url = "https://example.com/",
                                                       .inline_structure = extract::InlineStructure::keep})
                         .page;
  EXPECT_EQ(page_markdown(page).substr(page_markdown(page).find("Some")),
            "Some *text*[^1] and `a[2]`[^2].\n\n[^1]: With a [link](https://example.com/x).\n\n[^2]: The "
            "second.\n");
}

/// HTML, as Markdown, and read again: the blocks are the same, with their links, emphasis and code.
void expect_structure_survives(std::string_view html) {
  const extract::ExtractOptions options = {.url = "https://example.com/a/b.html",
                                           .inline_structure = extract::InlineStructure::keep};
  extract::Extractor extractor;
  const Page& page = extractor.extract_markdown(html, options).page;
  const std::string markdown = page_markdown(page);
  extract::Extractor other;
  const Page& again = other.extract_markdown(markdown, options).page;
  // The title comes first in Markdown.
  const std::size_t title = again.content.size() - std::min(again.content.size(), page.content.size());
  ASSERT_EQ(again.content.size(), page.content.size() + title) << markdown;
  ASSERT_LE(title, 1U) << markdown;
  for (std::size_t i = 0; i < page.content.size(); ++i)
    EXPECT_TRUE(again.content[i + title] == page.content[i]) << "block " << i << " of\n" << markdown;
}

TEST(SheafOnlyPageMarkdown, StructureSurvives) {
  for (const std::string_view html :
       {"<ol start=4><li>four<ul><li>deep<ol start=3><li>deeper<li>last</ol></ul><li>five</ol>",
        "<figure><img src=a.png alt='A picture'><figcaption>The <em>caption</em> of "
        "it.</figcaption></figure>",
        "<table><caption>Sizes of all</caption><tr><th>Name<th>Size<tr><td>a<td><code>1|2</code></table>",
        "<table><tr><th>Row<td>1<tr><th>Other<td>2</table>",
        "<p>Some <em>text</em>.<table><tr><td>a<td>1<tr><td>b<td>2</table>",
        "<div class='admonition warning'><p class=admonition-title>Careful<p>The body.</div><p>After.",
        "<div class='markdown-alert markdown-alert-note'><p class=markdown-alert-title>Note<p>Body.</div>",
        "<dl><dt>Term<dd>Meaning of <a href=x>it</a>.<dt>Other<dt>Third<dd><p>One.<p>Two.</dl><p>After.",
        "<p>Said<sup><a href=#fn-1>1</a></sup> so.<hr><ol><li id=fn-1>The <b>note</b>. <a "
        "href=#r1>\u21A9</a></ol>",
        "<p>x<sup>2</sup> and H<sub>2</sub>O, $a_1 + b$, <code>a `b` c</code>, <strong>a<em>b</em></strong>c",
        "<blockquote><p>One.<p>Two <a href=/y>link</a>.<footer>Someone</footer></blockquote>",
        "<pre><code class=language-sh>a\n\n  b</code></pre><h3>Head <code>x</code></h3><p>a<br>b"})
    expect_structure_survives(html);
}

TEST(SheafOnlyPageMarkdown, CodeWithFencesInIt) {
  expect_round_trip(
      {{CodeBlock{std::nullopt, "```\ninside\n````"}, {}}, {CodeBlock{"c++", "\tx = '`';\n\n  y"}, {}}});
  expect_round_trip({{CodeBlock{"sh", "\n    indented # \\ * <b>"}, {}}, {TextBlock{"after"}, {}}});
  EXPECT_EQ(markdown_of({CodeBlock{std::nullopt, "a ``` b"}, {}}), "````\na ``` b\n````\n");
}

TEST(SheafOnlyPageMarkdown, TablesWithPipesAndLines) {
  const std::array<Text, 3> head = {"a|b", "c", ""};
  const std::array<Text, 3> row = {"one\ntwo", "\\|", "d"};
  const std::array<List<Text>, 2> rows = {List<Text>(head), List<Text>(row)};
  expect_round_trip({{TableBlock{rows}, {}}});
  EXPECT_EQ(markdown_of({TableBlock{rows}, {}}),
            "| a\\|b | c |  |\n| --- | --- | --- |\n| one<br>two | \\\\\\| | d |\n");
}

TEST(SheafOnlyPageMarkdown, QuotesWithParagraphsAndSources) {
  expect_round_trip({{QuoteBlock{"One.\n\nTwo\nlines.", std::nullopt}, {}},
                     {QuoteBlock{"Another.", "A *source* [1]"}, {}},
                     {TextBlock{"x"}, {}}});
}

TEST(SheafOnlyPageMarkdown, LinksAndImages) {
  expect_round_trip({{LinkBlock{"https://example.com/a(b", "A [link]", std::nullopt}, {}},
                     {ImageBlock{"https://example.com/x.png", "An ]image"}, {}}});
  expect_round_trip({{LinkBlock{"https://example.com/", "https://example.com/", std::nullopt}, {}}});
}

TEST(SheafOnlyPageMarkdown, MediaBecomeLinks) {
  Media media;
  media.name = "Talk";
  media.url = Text("https://example.com/v.mp4");
  EXPECT_EQ(markdown_of({VideoBlock{&media}, {}}), "[Talk](https://example.com/v.mp4)\n");
  const std::array<MediaLink, 1> links = {
      MediaLink{"https://example.com/w.mp4", "video/mp4", std::nullopt, {}}};
  media.url = List<MediaLink>(links);
  EXPECT_EQ(markdown_of({AudioBlock{&media}, {}}), "[Talk](https://example.com/w.mp4)\n");
  media.url = List<MediaLink>();
  EXPECT_EQ(markdown_of({AudioBlock{&media}, {}}), "");
  EXPECT_EQ(markdown_of({UnknownBlock{"x", "{}"}, {}}), "");
}

TEST(SheafOnlyPageMarkdown, TitleComesFirstOnce) {
  const std::array<Block, 2> blocks = {Block{HeadingBlock{1, "The title"}, {}}, Block{TextBlock{"x"}, {}}};
  Page page;
  page.title = "The Title";
  page.content = List<Block>(blocks);
  EXPECT_EQ(page_markdown(page), "# The title\n\nx\n");
  page.title = "Another *title*";
  EXPECT_EQ(page_markdown(page), "# Another \\*title\\*\n\n# The title\n\nx\n");
  page.content = {};
  EXPECT_EQ(page_markdown(page), "# Another \\*title\\*\n");
}

}  // namespace
}  // namespace sheaf::markdown
