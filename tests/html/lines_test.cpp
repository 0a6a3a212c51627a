// Lines: runs whose text is all that the page says there, so that blocks take it without a look at its parts.
#include "sheaf/format/page_encoder.h"
#include "sheaf/html/extract.h"
#include "sheaf/html/metadata.h"
#include "sheaf/html/page_outline.h"
#include "sheaf/html/parser.h"
#include "sheaf/html/selector.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::html {
namespace {

/// One letter for each run of a page's body: 'l' for a line, '-' for another.
std::string lines_of(std::string_view body) {
  const std::string html = "<!doctype html><title>t</title><body>" + std::string(body);
  Document document;
  parse(html, {}, document);
  PageOutline outline;
  outline.build(document);
  std::string found;
  for (const TextRun& run : outline.runs()) found += run.is_line() ? 'l' : '-';
  return found;
}

TEST(SheafOnlyLines, TextAndPartsThatAreNoMoreThanTheirText) {
  EXPECT_EQ(lines_of("<p>text"), "l");
  EXPECT_EQ(lines_of("<p>a <b>bold</b> <i>i</i> <code>c</code> <span class=x id=y>s</span> <time>1</time>"),
            "l");
  EXPECT_EQ(lines_of("<p><code>first</code> then <abbr title=x>text</abbr>"), "l");
  EXPECT_EQ(lines_of("<p>text <!-- comment --> more <span></span>"), "l");
  EXPECT_EQ(lines_of("<ul><li>one<li>two</ul><h2>head</h2><table><td>cell</table>"), "llll");
  EXPECT_EQ(lines_of("text <div>inner</div> after"), "lll");
}

TEST(SheafOnlyLines, PartsThatAreMore) {
  for (const std::string_view part :
       {"<br>", "<img src=x>", "<sup>2</sup>", "<sub>2</sub>", "<q>q</q>", "<cite>c</cite>",
        "<ruby>a<rt>b</ruby>", "<math><mi>x</mi></math>", "<svg><text>x</text></svg>",
        "<my-element>x</my-element>", "<input>", "<button>b</button>", "<script>x</script>",
        "<picture><img src=x></picture>", "<object>x</object>", "<noscript>x</noscript>",
        "<select><option>o</select>", "<video src=x></video>"}) {
    EXPECT_EQ(lines_of("<p>text " + std::string(part) + " more"), "-") << part;
    EXPECT_EQ(lines_of("<p>" + std::string(part) + " text"), "-") << part;
    EXPECT_EQ(lines_of("<p>text " + std::string(part) + "<p>next"), "-l") << part;
  }
}

TEST(SheafOnlyLines, LinksAreMoreWhereTheyAreAllOfIt) {
  EXPECT_EQ(lines_of("<p>text <a href=x>link</a>"), "l");
  EXPECT_EQ(lines_of("<p><a href=x>link</a> text"), "l");
  EXPECT_EQ(lines_of("<p><a href=x>link</a>"), "-");
  EXPECT_EQ(lines_of("<p><a id=x></a><a href=x>link</a>"), "-");
  EXPECT_EQ(lines_of("<p><a href=x>one</a>, <a href=y>two</a>"), "-");
  EXPECT_EQ(lines_of("<p>\u00A0<a href=x>link</a>\u00A0"), "-");  // which shows nothing else
}

TEST(SheafOnlyLines, LinksAreMoreWhereTheyMayBeAMereSign) {
  EXPECT_EQ(lines_of("<p>text <a href=#x>#</a>"), "-");
  EXPECT_EQ(lines_of("<p>text <a href=#x>\u00B6</a>"), "-");
  EXPECT_EQ(lines_of("<p>text <a href=y>one</a><a href=#x>^</a> more"), "-");
  EXPECT_EQ(lines_of("<h2>text <a href=#x>x</a></h2>"), "-");  // counts for no link in a heading
  EXPECT_EQ(lines_of("<p>text <a href=#x>word</a>"), "l");
}

TEST(SheafOnlyLines, WhatGoesOnAroundABlock) {
  EXPECT_EQ(lines_of("<p>before</p><b>one<div>two</div>three</b> four"), "l-l-");
  EXPECT_EQ(lines_of("<div>one <a href=x>link<div>two</div></a></div><p>three"), "--l");
}

TEST(SheafOnlyLines, NoneWhereNodesAreNotInOrder) {
  EXPECT_EQ(lines_of("<p>text<template>x</template><p>more"), "--");
  EXPECT_EQ(lines_of("<table>moved<tr><td>cell</table>"), "--");
}

/// What the extraction of a page gives, as one line of JSON; with a selector that matches nothing no run is
/// taken for a line.
std::string extract(std::string_view html, LinkBlocks links, const Selector* leave_out) {
  static Extractor extractor;
  ExtractOptions options;
  options.url = "https://example.com/page.html";
  options.fallback_modified = base::Instant{};
  options.links = links;
  options.leave_out = leave_out;
  std::string line;
  format::encode_page(extractor.extract(html, options).page, line);
  return line;
}

constexpr std::string_view kProse =
    "<p>The museum was opened in the spring of that year, and it has grown ever since: there are now more "
    "than "
    "four hundred boats, of which some are still sailed, and a library that is open to all who ask for "
    "it.</p>";

constexpr std::string_view kAside =
    "<aside><p>beside <span role=heading>inline role</span> it, with enough words to be a paragraph of its "
    "own, and a "
    "comma, so that it may be kept.</p></aside>";

/// The blocks of a page are the same, whether its lines are taken at once or part by part.
void expect_same(std::string_view body) {
  const auto nothing = Selector::compile("br > br");
  ASSERT_TRUE(nothing.has_value());
  std::string html = "<!doctype html><html lang=en><title>Boats</title><body><article><h1>Boats</h1>";
  for (int i = 0; i < 3; ++i) html.append(kProse);
  html.append(body).append(kProse).append("</article>");
  for (const LinkBlocks links : {LinkBlocks::standalone, LinkBlocks::all})
    EXPECT_EQ(extract(html, links, nullptr), extract(html, links, &*nothing)) << body;
}

TEST(SheafOnlyLines, BlocksAreTheSameAsWithoutThem) {
  constexpr std::string_view kBodies[] = {
      "<p>  a <b>bold</b> and\n\t <i> wide </i>text  </p>",
      "<p><code>first</code> then text</p>",
      "<p><a href=x>link</a> then text</p><p>text and <a href=x>link</a></p><p><a href=x>alone</a></p>",
      "<p><a href=x>one</a> and <a href=y>two</a>.</p>",
      "<div>loose text<p>paragraph</p>after <b>it</b><div>inner</div> end</div>",
      "<div>text<br><br>after breaks <b>x</b></div><div><br><br>text</div>",
      "<ul><li>one<li><a href=x>two</a> more<ul><li>nested <b>item</b></ul>after</ul><ol><li>a<li>b</ol>",
      "<dl><dt><code>term</code><dd>definition of <a href=x>it</a><dt><a href=x>term</a><dd>more</dl>",
      "<table><tr><th>head <b>x</b><th>two<tr><td>cell <a href=x>l</a><td><p>a</p><p>b</p></table>",
      "<h2>heading <a href=#x>\u00B6</a></h2><h3><a href=y>linked</a> heading</h3>",
      "<blockquote><p>quoted <b>text</b></p><p>and more</p><footer>who <i>said</i></footer></blockquote>",
      "<blockquote>quoted, <cite>source</cite></blockquote>",
      "<pre>code <b>with</b>\n  spans</pre><pre><code class=language-c>int x;\n</code></pre>",
      "<figure><img src=a.png alt=a><figcaption>caption <b>of</b> it</figcaption></figure>",
      "<a href=x><p>linked paragraph</p><p>and another</p></a>",
      "<sup><div>raised <a href=#n>1</a></div></sup><p>text<sup><a href=#n>1</a></sup></p>",
      "<q><p>quoted <b>paragraph</b></p></q>",
      "<p role=heading aria-level=3>role</p><p>text <span role=heading>inline role</span> after</p>",
      "<p>formula <span class=katex><span class=katex-html>drawn</span></span> after</p>",
      "<p><span class=katex-html>drawn</span> after</p>",
      kAside,
      "<details><summary>more <b>of</b> it</summary>inner text</details>",
      "<p>\u00A0text\u00A0<b>\u00A0</b></p><p>zero\u200B<b>width</b></p>",
      "<p>a<span> b</span>c <span>d </span>e</p>",
      "<p>emoji <img class=emoji alt=\":)\" src=e.png> text</p>",
  };
  for (const std::string_view body : kBodies) expect_same(body);
}

std::vector<NodeRange> unsure_parts(std::string_view body) {
  const std::string html = "<!doctype html><title>t</title><body>" + std::string(body);
  Document document;
  parse(html, {}, document);
  PageOutline outline;
  outline.build(document);
  base::Arena arena;
  const auto parts = read_metadata(document, outline, {}, arena).unsure_parts;
  return {parts.begin(), parts.end()};
}

TEST(SheafOnlyLines, PagesWhoseAttributesMakeMoreOfElements) {
  for (const std::string_view body : {"<p><span role=heading>x</span>", "<p><b class=a role=heading>x</b>",
                                      "<span class=katex-html>x</span>"}) {
    const std::vector<NodeRange> parts = unsure_parts(body);
    ASSERT_EQ(parts.size(), 1U) << body;
    EXPECT_EQ(parts[0].begin, kDocumentNode);
    EXPECT_EQ(parts[0].end, kNodesEnd);
  }
  EXPECT_TRUE(unsure_parts("<p role=main class=text>x <b role=note>y</b>").empty());
}

TEST(SheafOnlyLines, PartsThatNobodyLookedAt) {
  const std::vector<NodeRange> parts =
      unsure_parts("<p class=x>a</p><nav><a href=x>b</a></nav><p class=x>c</p>");
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_LT(parts[0].begin, parts[0].end);
  EXPECT_NE(parts[0].end, kNodesEnd);
  EXPECT_EQ(unsure_parts("<footer>a").at(0).end, kNodesEnd);
}

}  // namespace
}  // namespace sheaf::html
