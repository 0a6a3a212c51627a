// Options, skipped content, and hostile pages. Time is never measured; steps and sizes are.
#include "extract/block_dump.h"
#include "sheaf/extract/blocks/blocks.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/parser.h"
#include "support/repeat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::extract {
namespace {

using test::repeat;

/// A page that is parsed and built, all or a part of it content.
class Built {
 public:
  explicit Built(std::string html, BlockOptions options = {}) : html_(std::move(html)) {
    html::parse(html_, {}, document_);
    content_.reset(document_.size(), true);
    options_ = options;
    if (options_.base == nullptr) options_.base = &*url_;
    build();
  }

  void build() {
    arena_.clear();
    built_ = builder_.build(document_, content_, {}, options_, arena_);
  }
  void drop(html::Name element) {
    for (const html::NodeId node : html::find_all(document_, document_.root(), element)) {
      content_.set(node, false);
      for (const html::NodeId inside : html::Descendants(document_, node)) content_.set(inside, false);
    }
    build();
  }
  void drop_whole(html::Name element) {
    for (const html::NodeId node : html::find_all(document_, document_.root(), element))
      content_.set(node, ContentMap::kDroppedWhole);
    build();
  }

  [[nodiscard]] const BuiltBlocks& result() const { return built_; }
  [[nodiscard]] std::size_t size() const { return built_.blocks.size(); }
  [[nodiscard]] std::size_t nodes() const { return document_.size(); }
  [[nodiscard]] std::string dump() const { return dump_blocks(built_.blocks); }
  template <class T>
  [[nodiscard]] const T& block(std::size_t i) const {
    return std::get<T>(built_.blocks[i].kind);
  }

 private:
  std::string html_;
  html::Document document_;
  ContentMap content_;
  BlockBuilder builder_;
  BlockOptions options_;
  Arena arena_;
  BuiltBlocks built_;
  std::optional<base::Url> url_ = base::Url::parse("https://e.org/dir/page");
};

TEST(SheafOnlyBlockOptions, AllLinksFollowTheirParagraph) {
  const Built page("<p>See <a href=/a>one</a> and <a href=/b rel=me>two</a>.</p><p>Next</p>",
                   {.links = LinkBlocks::all});
  EXPECT_EQ(page.dump(),
            "text See one and two.\nlink https://e.org/a one\nlink https://e.org/b two [me]\ntext Next\n");
}

TEST(SheafOnlyBlockOptions, AllLinksOfAListATableAndAHeading) {
  const Built page(
      "<h2><a href=/h>h</a></h2><ul><li><a href=/a>a</a></ul>"
      "<table><tr><th>x<th>y<tr><td><a href=/t>t</a><td>z</table>",
      {.links = LinkBlocks::all});
  EXPECT_EQ(page.dump(),
            "h2 h\nlink https://e.org/h h\nlist a\nlink https://e.org/a a\n"
            "table x ; y / t ; z\nlink https://e.org/t t\n");
}

TEST(SheafOnlyBlockOptions, LinksDoNotPartTheItemsOfAList) {
  const Built page("<ul><li><a href=/a>a</a><li>b <a href=/c>c</a></ul><p>d", {.links = LinkBlocks::all});
  EXPECT_EQ(page.dump(), "list a / b c\nlink https://e.org/a a\nlink https://e.org/c c\ntext d\n");
}

TEST(SheafOnlyBlockOptions, LinksWhoseTextIsMovedOrCutOut) {
  const Built page(
      "<blockquote>a <cite><a href=/c>c</a></cite></blockquote><p><q>b <a href=/q>q</a></q>"
      "<sup><a href=/s>12</a></sup><a href=#p>#</a>",
      {.links = LinkBlocks::all});
  EXPECT_EQ(page.dump(),
            "quote a -- c\nlink https://e.org/c c\ntext \u201Cb q\u201D\u00B9\u00B2\n"
            "link https://e.org/q q\nlink https://e.org/s 12\n");
}

TEST(SheafOnlyBlockOptions, StandaloneLinkIsNotRepeated) {
  const Built page("<p><a href=/a>one</a></p>", {.links = LinkBlocks::all});
  EXPECT_EQ(page.dump(), "link https://e.org/a one\n");
}

TEST(SheafOnlyBlockOptions, WithoutABaseRelativeUrlsAreDropped) {
  html::Document document;
  html::parse("<p><a href=x>a</a><p><a href=https://f.org/>b</a><img src=i.png><img src=https://f.org/i.png>",
              {}, document);
  ContentMap content;
  content.reset(document.size(), true);
  Arena arena;
  BlockBuilder builder;
  EXPECT_EQ(dump_blocks(builder.build(document, content, {}, {}, arena).blocks),
            "text a\nlink https://f.org/ b\nimage https://f.org/i.png \n");
}

TEST(SheafOnlyKept, NothingKeptNothingBuilt) {
  html::Document document;
  html::parse(
      "<h1>a</h1><p>b<ul><li>c</ul><pre>d</pre><img src=https://e.org/i.png>"
      "<table><tr><th>a<th>b</table><video title=T src=https://e.org/v.mp4></video>",
      {}, document);
  ContentMap content;
  content.reset(document.size(), false);
  Arena arena;
  BlockBuilder builder;
  EXPECT_TRUE(builder.build(document, content, {}, {}, arena).blocks.empty());
}

TEST(SheafOnlyKept, DroppedPartsLeaveNoTrace) {
  Built page("<article><p>a <aside>share</aside>b</p><nav><ul><li>x</ul></nav><p>c</article>");
  page.drop(html::Name::aside);
  page.drop(html::Name::nav);
  EXPECT_EQ(page.dump(), "text a\ntext b\ntext c\n");
}

TEST(SheafOnlyKept, DroppedSpanInsideAWordAndASentence) {
  Built page("<p>one<em>x</em> two <em>y</em>three</p>");
  page.drop(html::Name::em);
  EXPECT_EQ(page.dump(), "text one two three\n");
}

TEST(SheafOnlyKept, DroppedImagesAndItems) {
  Built page("<ul><li>a<li><em>b</em><li>c<img src=/i.png></ul>");
  page.drop(html::Name::em);
  page.drop(html::Name::img);
  EXPECT_EQ(page.dump(), "list a / c\n");
}

TEST(SheafOnlyKept, TheBoxOfADroppedTaskIsDroppedToo) {
  Built page("<ul><li>a</ul><menu><li><input type=checkbox> b</menu>");
  page.drop(html::Name::menu);
  EXPECT_EQ(page.dump(), "list a\n");
}

/// Skipping a subtree must give the same result as visiting and dropping its parts.
TEST(SheafOnlyKept, WhatIsDroppedWholePartsTextsAsItsPiecesWould) {
  constexpr std::string_view kParts[] = {"<nav>x</nav>", "<nav><ul><li>x</ul></nav>",
                                         "<nav><h2>x</h2><pre>y</pre></nav>",
                                         "<nav><table><tr><td>x<td>y<tr><td>1<td>2</table></nav>",
                                         "<nav><a href=/x>x</a><blockquote>y</blockquote></nav>"};
  constexpr std::string_view kAround[][2] = {{"<p>a</p>", "<p>b</p>"},
                                             {"<div>a", "b</div>"},
                                             {"<ul><li>a", "b<li>c</ul>"},
                                             {"<ul><li>a</ul>", "<ul><li>b</ul>"},
                                             {"<a href=/a>a", "b</a>"},
                                             {"<dl><dt>a", "<dd>b</dl>"},
                                             {"<blockquote>a", "b</blockquote>"},
                                             {"<table><tr><th>a<th>b<tr><td>c<td>d", "e</table>"}};
  for (const std::string_view part : kParts) {
    for (const auto& [before, after] : kAround) {
      const std::string html = std::string(before) + std::string(part) + std::string(after);
      Built pieces(html);
      pieces.drop(html::Name::nav);
      Built whole(html);
      whole.drop(html::Name::nav);
      whole.drop_whole(html::Name::nav);
      EXPECT_EQ(whole.dump(), pieces.dump()) << html;
    }
  }
}

TEST(SheafOnlyKept, WhatIsDroppedWholeIsNotWalkedThrough) {
  Built page("<p>a</p><nav>" + repeat("<p>x</p>", 1000) + "</nav><p>b</p>");
  page.drop(html::Name::nav);
  page.drop_whole(html::Name::nav);
  EXPECT_EQ(page.dump(), "text a\ntext b\n");
  EXPECT_LE(page.result().steps, 20U);
}

TEST(SheafOnlyKept, WhiteSpaceOfCodeIsKept) {
  html::Document document;
  html::parse("<pre><b>int</b> <b>x</b>\n<b>y</b></pre>", {}, document);
  ContentMap content;
  content.reset(document.size(), true);
  for (const html::NodeId node : html::Descendants(document, document.root()))
    if (document.kind(node) == html::NodeKind::text &&
        document.text(node).find_first_not_of(" \n") == std::string::npos)
      content.set(node, false);
  Arena arena;
  BlockBuilder builder;
  EXPECT_EQ(dump_blocks(builder.build(document, content, {}, {}, arena).blocks), "code int x|y\n");
}

TEST(SheafOnlyMedia, StructuredDataFillsIn) {
  const MediaObject object{.kind = MediaObject::Kind::video,
                           .name = "Name",
                           .description = "About",
                           .content_url = "https://e.org/v.mp4",
                           .embed_url = "https://www.youtube.com/embed/abcdefgh",
                           .thumbnail_url = "https://e.org/t.jpg",
                           .duration = "PT5M",
                           .transcript = "Words"};
  Metadata metadata;
  metadata.media = std::span(&object, 1);
  EXPECT_EQ(
      dump_blocks("<iframe src='https://www.youtube-nocookie.com/embed/abcdefgh'></iframe>", {}, metadata),
      "video Name https://www.youtube.com/watch?v=abcdefgh text/html https://e.org/v.mp4 video/mp4 "
      "duration PT5M icon https://e.org/t.jpg summary About transcript Words\n");
}

TEST(SheafOnlyMedia, TheOnlyObjectIsTakenOnce) {
  MediaObject object;
  object.name = "Name";
  object.duration = "P1D";
  Metadata metadata;
  metadata.media = std::span(&object, 1);
  metadata.title = "Page";
  EXPECT_EQ(dump_blocks("<video src=/a.mp4></video><video src=/b.mp4></video>", {}, metadata),
            "video Name https://e.org/a.mp4 video/mp4\nvideo Page https://e.org/b.mp4 video/mp4\n");
}

TEST(SheafOnlyMerge, TextsAreJoinedEvenly) {
  const Built page(repeat("<p>x</p>", 100'000));
  EXPECT_EQ(page.size(), 1000U);
  EXPECT_EQ(page.result().merged, 99'000U);
  std::size_t longest = 0;
  std::size_t paragraphs = 0;
  for (std::size_t i = 0; i < page.size(); ++i) {
    const auto& text = page.block<TextBlock>(i).text;
    longest = std::max(longest, text.size());
    paragraphs += static_cast<std::size_t>(std::ranges::count(text, 'x'));
  }
  EXPECT_EQ(paragraphs, 100'000U);
  EXPECT_LE(longest, 3U * 101);  // "x\n\n", at most one more than the average of a hundred
  EXPECT_LE(page.result().steps, 2U * page.nodes());
}

TEST(SheafOnlyMerge, KindsThatLoseNothingGoFirst) {
  const Built page("<h1>t</h1><p>a</p><p>b</p><pre>x</pre>", {.max_blocks = 3});
  EXPECT_EQ(page.dump(), "h1 t\ntext a||b\ncode x\n");
  EXPECT_EQ(page.result().merged, 1U);
}

TEST(SheafOnlyMerge, SameKindsStayWhatTheyAre) {
  const Built page(
      "<h1>t</h1><ul><li>a</ul><ul><li>b</ul><h2>u</h2><pre>x</pre><pre>y</pre><h2>v</h2>"
      "<blockquote>p</blockquote><blockquote>q</blockquote>",
      {.max_blocks = 6});
  EXPECT_EQ(page.dump(), "h1 t\nlist a / b\nh2 u\ncode x||y\nh2 v\nquote p||q\n");
}

TEST(SheafOnlyMerge, CodeOfTwoLanguagesIsNotOne) {
  const Built page("<pre class=lang-c>x</pre><pre class=lang-go>y</pre><p>a<p>b", {.max_blocks = 3});
  EXPECT_EQ(page.dump(), "code(c) x\ncode(go) y\ntext a||b\n");
}

TEST(SheafOnlyMerge, DeepHeadingsGoBeforeTheOutline) {
  const Built page("<h1>t</h1><p>a</p><h5>u</h5><p>b</p><h2>v</h2><p>c</p>", {.max_blocks = 5});
  EXPECT_EQ(page.dump(), "h1 t\ntext a\ntext u||b\nh2 v\ntext c\n");
}

TEST(SheafOnlyMerge, EverythingBecomesOneTextIfItMust) {
  const Built page(
      "<h1>t</h1><p><a href=/l>l</a></p><img src=/i.png alt=z><ul><li>a<li>b</ul><pre>x</pre>"
      "<table><tr><th>c<th>d</table><blockquote>q<footer>Me</footer></blockquote>"
      "<video title=T src=/v.mp4></video>",
      {.max_blocks = 1});
  EXPECT_EQ(page.dump(),
            "text t||l <https://e.org/l>||z <https://e.org/i.png>||- a|- b||x||c\td||q|Me||T "
            "<https://e.org/v.mp4>\n");
  EXPECT_EQ(page.result().merged, 7U);
}

TEST(SheafOnlyMerge, NoLimitIsTakenAsOne) {
  const Built page("<p>a<p>b", {.max_blocks = 0});
  EXPECT_EQ(page.dump(), "text a||b\n");
}

TEST(SheafOnlyMerge, ExactlyTheLimitIsLeftAlone) {
  const Built page(repeat("<p>x</p>", 1000));
  EXPECT_EQ(page.size(), 1000U);
  EXPECT_EQ(page.result().merged, 0U);
}

TEST(SheafOnlyHostile, DivsBeyondEveryDepth) {
  const Built page(repeat("<div>", 100'000) + "x");
  EXPECT_EQ(page.dump(), "text x\n");
  EXPECT_LE(page.result().steps, page.nodes());
}

TEST(SheafOnlyHostile, MillionItems) {
  const Built page("<ul>" + repeat("<li>x", 1'000'000) + "</ul>");
  ASSERT_EQ(page.size(), 1U);
  EXPECT_EQ(page.block<ListBlock>(0).items.size(), 1'000'000U);
  EXPECT_LE(page.result().steps, page.nodes());
}

TEST(SheafOnlyHostile, MillionSiblings) {
  const Built page(repeat("<i></i>", 1'000'000) + "x");
  EXPECT_EQ(page.dump(), "text x\n");
  EXPECT_LE(page.result().steps, page.nodes());
}

TEST(SheafOnlyHostile, OneLongText) {
  const Built page("<p>" + repeat("word ", 2'000'000));
  ASSERT_EQ(page.size(), 1U);
  EXPECT_EQ(page.block<TextBlock>(0).text.size(), 5U * 2'000'000 - 1);
}

TEST(SheafOnlyHostile, ListsInListsBeyondEveryDepth) {
  const Built page(repeat("<ul><li>x", 50'000));
  std::size_t longest = 0;
  std::size_t items = 0;
  for (std::size_t i = 0; i < page.size(); ++i)
    for (const Text item : page.block<ListBlock>(i).items) {
      longest = std::max(longest, item.size());
      ++items;
    }
  EXPECT_EQ(items, 50'000U);
  EXPECT_LE(longest, 32U);  // the indent stops growing
}

std::size_t cells_of(const TableBlock& table) {
  std::size_t cells = 0;
  for (const auto& row : table.rows) cells += row.size();
  return cells;
}

TEST(SheafOnlyHostile, WideSpansMakeFewCells) {
  const Built page("<table><tr><th>a<th>b" + repeat("<tr><td colspan=1000000>x<td>y", 1000) + "</table>");
  ASSERT_EQ(page.size(), 1U);
  EXPECT_LE(cells_of(page.block<TableBlock>(0)), 2002U * 9 + 64);
}

TEST(SheafOnlyHostile, LongSpansMakeFewCells) {
  const Built page("<table><tr>" + repeat("<th rowspan=1000000>x", 1000) + repeat("<tr><td>y", 10'000) +
                   "</table>");
  ASSERT_EQ(page.size(), 1U);
  EXPECT_LE(cells_of(page.block<TableBlock>(0)), 11'000U * 10 + 64);
}

TEST(SheafOnlyHostile, LongTextIsNotRepeatedInEveryRow) {
  const Built page("<table><tr><th>a<th>b<tr><td rowspan=60000>" + repeat("long ", 1000) +
                   repeat("<td>y<tr>", 1000) + "</table>");
  ASSERT_EQ(page.size(), 1U);
  std::size_t bytes = 0;
  for (const auto& row : page.block<TableBlock>(0).rows)
    for (const Text cell : row) bytes += cell.size();
  EXPECT_LE(bytes, 10'000U);
}

TEST(SheafOnlyHostile, TablesInTablesAreLookedAtOnce) {
  const Built page(repeat("<table><tr><td>x<td>", 100'000));
  EXPECT_LE(page.result().steps, 3U * page.nodes());
}

TEST(SheafOnlyHostile, MillionRows) {
  const Built page("<table><tr><th>a<th>b" + repeat("<tr><td>x", 300'000) + "</table>");
  ASSERT_EQ(page.size(), 1U);
  EXPECT_EQ(page.block<TableBlock>(0).rows.size(), 300'001U);
  EXPECT_LE(page.result().steps, 3U * page.nodes());
}

TEST(SheafOnlyHostile, CodeInADeepItem) {
  const Built page(repeat("<ul><li>", 200) + repeat("x<pre>y</pre>", 10'000));
  EXPECT_EQ(page.size(), 1000U);
  EXPECT_LE(page.result().steps, page.nodes());
}

TEST(SheafOnlyHostile, FigureOfManyVideos) {
  const Built page("<figure>" + repeat("<video src=/v.mp4 title=T></video>", 20'000) + "</figure>");
  EXPECT_EQ(page.size(), 1000U);
}

TEST(SheafOnlyHostile, QuotationsInQuotations) {
  const Built page(repeat("<q>", 400) + repeat("x", 1'000'000));
  ASSERT_EQ(page.size(), 1U);
  EXPECT_EQ(page.block<TextBlock>(0).text.size(), 1'000'000U + 6);  // one pair of marks
}

TEST(SheafOnlyHostile, RaisedInRaised) {
  const Built page(repeat("<sup>", 400) + repeat("2", 1'000'000));
  ASSERT_EQ(page.size(), 1U);
  EXPECT_EQ(page.block<TextBlock>(0).text.size(), 1'000'000U);
}

TEST(SheafOnlyHostile, MemoryOfOnePageServesTheNext) {
  html::Document document;
  BlockBuilder builder;
  Arena arena;
  ContentMap content;
  const std::string pages[] = {"<ul><li>a<pre>x", "<blockquote>b<cite>c", "<table><tr><th>a<th>b<tr><td>",
                               "<figure><q><sup><a href=#x>", "<p>plain"};
  std::vector<std::string> first;
  for (int round = 0; round < 2; ++round)
    for (std::size_t i = 0; i < std::size(pages); ++i) {
      html::parse(pages[i], {}, document);
      content.reset(document.size(), true);
      arena.clear();
      const std::string dump = dump_blocks(builder.build(document, content, {}, {}, arena).blocks);
      if (round == 0) first.push_back(dump);
      EXPECT_EQ(dump, first[i]) << pages[i];
      EXPECT_EQ(dump, dump_blocks(pages[i])) << pages[i];
    }
}

}  // namespace
}  // namespace sheaf::extract
