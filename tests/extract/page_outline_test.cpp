#include "sheaf/extract/outline/page_outline.h"

#include "sheaf/extract/outline/hint_words.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::extract {
namespace {

std::string_view kind_name(RunKind kind) {
  switch (kind) {
    case RunKind::other: return "other";
    case RunKind::paragraph: return "paragraph";
    case RunKind::heading: return "heading";
    case RunKind::list_item: return "item";
    case RunKind::cell: return "cell";
    case RunKind::term: return "term";
    case RunKind::definition: return "definition";
    case RunKind::code: return "code";
    case RunKind::quote: return "quote";
    case RunKind::caption: return "caption";
  }
  return "?";
}

/// A page and its outline; everything lives as long as this.
class Outlined {
 public:
  explicit Outlined(std::string html) : html_(std::move(html)) {
    html::parse(html_, {}, document_);
    outline_.build(document_);
  }
  const PageOutline* operator->() const { return &outline_; }
  [[nodiscard]] const html::Document& document() const { return document_; }
  [[nodiscard]] html::NodeId find(html::Name name) const {
    return html::find_first(document_, document_.root(), name);
  }

  /// The texts of the nodes that are part of a run, as they stand.
  [[nodiscard]] std::string text(std::size_t run) const {
    std::string text;
    for (const html::NodeId node : html::Descendants(document_, document_.root()))
      if (outline_.run_of(node) == run) text += document_.text(node);
    return text;
  }
  /// One line for each run: its kind and text.
  [[nodiscard]] std::string dump() const {
    std::string lines;
    for (std::size_t i = 0; i < outline_.runs().size(); ++i)
      lines += std::string(kind_name(outline_.runs()[i].kind)) + " " + text(i) + "\n";
    return lines;
  }
  [[nodiscard]] const TextRun& run(std::size_t i) const { return outline_.runs()[i]; }
  [[nodiscard]] RunWords words(std::size_t i) const { return outline_.words(run(i)); }
  [[nodiscard]] const Region& region_of(html::Name name) const {
    return outline_.regions()[outline_.region_of(find(name))];
  }

 private:
  std::string html_;
  html::Document document_;
  PageOutline outline_;
};

TEST(SheafOnlyOutlineRuns, KindsByTheNearestElementThatSaysSo) {
  const Outlined page(
      "<h2>Heading</h2><p>Paragraph</p><ul><li>Item</ul><table><caption>Above</caption><tr><th>Head<td>Cell"
      "</table><dl><dt>Term<dd>Definition</dl><pre>Code</pre><blockquote>Quote</blockquote>"
      "<figure><figcaption>Caption</figcaption></figure><div>Other</div>");
  EXPECT_EQ(
      page.dump(),
      "heading Heading\nparagraph Paragraph\nitem Item\ncaption Above\ncell Head\ncell Cell\nterm Term\n"
      "definition Definition\ncode Code\nquote Quote\ncaption Caption\nother Other\n");
}

TEST(SheafOnlyOutlineRuns, SurroundingElementsDecideTheMeaningOfADiv) {
  const Outlined page(
      "<ul><li><div>item</div><p>paragraph</p></ul><table><td><div>cell</div></table>"
      "<blockquote><p>quote</p></blockquote><figure><figcaption><p>caption</p></figcaption></figure>"
      "<h3><div>heading</div></h3>");
  EXPECT_EQ(page.dump(),
            "item item\nparagraph paragraph\ncell cell\nquote quote\ncaption caption\nheading heading\n");
  EXPECT_EQ(page.run(5).heading_level, 3);
}

TEST(SheafOnlyOutlineRuns, HeadingLevels) {
  const Outlined page("<h1>a</h1><h2>b</h2><h3>c</h3><h4>d</h4><h5>e</h5><h6>f</h6><p>g</p>");
  ASSERT_EQ(page->runs().size(), 7U);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(page.run(i).heading_level, i + 1);
  EXPECT_EQ(page.run(6).heading_level, 0);
}

TEST(SheafOnlyOutlineRuns, CountsOfALine) {
  const Outlined page("<p>  Mail Bob, at bob@example.com;\n\t  he has 12 <b>big</b> <i>red</i> cats.  </p>");
  ASSERT_EQ(page->runs().size(), 1U);
  const TextRun& run = page.run(0);
  EXPECT_EQ(run.words, 10U);
  // Every word brings one space: the text between its ends, and one.
  EXPECT_EQ(run.chars, std::string_view("Mail Bob, at bob@example.com; he has 12 big red cats.").size() + 1);
  EXPECT_EQ(run.marks, 2U);
  EXPECT_EQ(run.commas, 2U);
  EXPECT_EQ(run.digits, 2U);
  EXPECT_EQ(run.capitals, 2U);
  EXPECT_EQ(run.handles, 1U);
  EXPECT_EQ(run.bold_chars, 4U);
  EXPECT_EQ(run.italic_chars, 4U);
  EXPECT_EQ(run.link_chars, 0U);
  EXPECT_TRUE(run.ends_sentence);
}

TEST(SheafOnlyOutlineRuns, CharactersNotBytes) {
  EXPECT_EQ(Outlined("<p>\u00FCber").run(0).chars, 5U);                     // two bytes, one character
  EXPECT_EQ(Outlined("<p>\u4E2D\u6587").run(0).chars, 5U);                  // wide ones count two
  EXPECT_EQ(Outlined("<p>" + std::string(1000, 'x')).run(0).chars, 1001U);  // more than a counter's field
  EXPECT_EQ(Outlined("<p>" + std::string(1000, '.')).run(0).marks, 1000U);
}

TEST(SheafOnlyOutlineRuns, PunctuationOfChineseAndJapanese) {
  const Outlined page("<p>\u6587\u3001\u6587\uFF0C\u6587\u3002\u6587\uFF01\u6587\uFF1F</p><p>\u3042.</p>");
  EXPECT_EQ(page.run(0).marks, 3U);
  EXPECT_EQ(page.run(0).commas, 2U);
  EXPECT_EQ(page.run(1).marks, 1U);
}

TEST(SheafOnlyOutlineRuns, LinkShare) {
  const Outlined page("<p><a href=/a>1234</a> 6789 <a href=/b><b>1</b>234</a></p><p>none</p>");
  const TextRun& run = page.run(0);
  EXPECT_EQ(run.links, 2U);
  EXPECT_EQ(run.chars, 15U);
  EXPECT_EQ(run.link_chars, 10U);
  EXPECT_EQ(page.run(1).link_chars, 0U);
  EXPECT_EQ(page.run(1).links, 0U);
}

TEST(SheafOnlyOutlineRuns, ALinkOverSeveralBlocksCountsInEach) {
  const Outlined page("<a href=/a><div>one</div><div>two</div></a><div>three</div>");
  ASSERT_EQ(page->runs().size(), 3U);
  EXPECT_EQ(page.run(0).link_chars, page.run(0).chars);
  EXPECT_EQ(page.run(1).link_chars, page.run(1).chars);
  EXPECT_EQ(page.run(1).links, 1U);
  EXPECT_EQ(page.run(2).link_chars, 0U);
}

TEST(SheafOnlyOutlineRuns, AHeadingThatLinksToItselfIsNotALink) {
  EXPECT_EQ(Outlined("<h2 id=x><a href=#x>Install</a></h2>").run(0).link_chars, 0U);
  EXPECT_EQ(Outlined("<h2><a name=x>Install</a></h2>").run(0).link_chars, 0U);
  EXPECT_EQ(Outlined("<h2><a href=/x>Install</a></h2>").run(0).link_chars, 8U);
  EXPECT_EQ(Outlined("<p><a href=#x>Install</a></p>").run(0).link_chars, 8U);
  // Such a link closes as it opened: the text after it is not a link, and a real link around it is kept.
  EXPECT_EQ(Outlined("<h2><a href=#x>a</a></h2><p>b").run(1).link_chars, 0U);
}

TEST(SheafOnlyOutlineRuns, NestedInlineElementsAreOneRun) {
  const Outlined page("<p>one<span> <em>two <b>three</b></em></span>four<br>five<u></u>six</p>");
  ASSERT_EQ(page->runs().size(), 1U);
  EXPECT_EQ(page.text(0), "one two threefourfivesix");
  EXPECT_EQ(page.run(0).words, 4U);       // a br parts words, the end of an element does not
  EXPECT_EQ(page.run(0).bold_chars, 6U);  // with the space before it
}

TEST(SheafOnlyOutlineRuns, ABlockPartsTheTextAroundIt) {
  const Outlined page("<div>before<p>inside</p>after</div>");
  EXPECT_EQ(page.dump(), "other before\nparagraph inside\nother after\n");
  EXPECT_EQ(page.run(0).region, page.run(2).region);
  EXPECT_NE(page.run(0).hash(), page.run(2).hash());
}

TEST(SheafOnlyOutlineRuns, WhiteSpaceAloneIsNotARun) {
  const Outlined page("<body> \n <p> </p>\t<div>\n<b> </b></div><p>&nbsp;</p></body>");
  // A no-break space is a character, as in HTML's own idea of white space.
  EXPECT_EQ(page->runs().size(), 1U);
  const Outlined inside("<p>a<b> </b>b</p>");
  ASSERT_EQ(inside->runs().size(), 1U);
  EXPECT_EQ(inside.run(0).words, 2U);
}

TEST(SheafOnlyOutlineRuns, TheSameTextHasTheSameHashWhateverIsAround) {
  const Outlined page("<p>All rights reserved</p><div>  All rights reserved\n</div><p>All rights</p>");
  EXPECT_EQ(page.run(0).hash(), page.run(1).hash());
  EXPECT_NE(page.run(0).hash(), page.run(2).hash());
}

TEST(SheafOnlyOutlineRuns, HowTheyEnd) {
  struct {
    std::string_view text;
    bool sentence;
    bool colon;
    bool cut;
  } constexpr kCases[] = {
      {"A sentence.", true, false, false},
      {"Really?", true, false, false},
      {"A list:", true, true, false},
      {"Menu", false, false, false},
      {"More to come\u2026", true, false, true},
      {"More to come...", true, false, true},
      {"Excerpt [...]", false, false, true},
      {"He said \u201CNo\u201D", true, false, false},
      {"\u6587\u3002", true, false, false},
  };
  for (const auto& each : kCases) {
    const Outlined page("<p>" + std::string(each.text));
    EXPECT_EQ(page.run(0).ends_sentence, each.sentence) << each.text;
    EXPECT_EQ(page.run(0).ends_colon, each.colon) << each.text;
    EXPECT_EQ(page.run(0).ends_cut, each.cut) << each.text;
  }
}

TEST(SheafOnlyOutlineRuns, TimeAndFirstWords) {
  const Outlined page("<p>Posted <time>today</time></p><p>Share this</p><p>Nothing of the kind</p>");
  EXPECT_TRUE(page.run(0).has_time);
  EXPECT_FALSE(page.run(1).has_time);
  EXPECT_NE(page.words(0).hints & kHintByline, 0U);
  EXPECT_NE(page.words(1).hints & kHintShare, 0U);
  EXPECT_EQ(page.words(2).hints & (kHintByline | kHintShare), 0U);
}

TEST(SheafOnlyOutlineRuns, ShareOfTheTitlesWords) {
  const Outlined page("<title>Baking good bread</title><h1>Baking Bread</h1><p>Baking a cake</p><p>Fish</p>");
  EXPECT_FLOAT_EQ(page.words(0).title_share, 1);
  EXPECT_FLOAT_EQ(page.words(1).title_share, 1.0F / 3);
  EXPECT_FLOAT_EQ(page.words(2).title_share, 0);
}

TEST(SheafOnlyOutlineRuns, Prose) {
  const std::string sentence =
      "A sentence that goes on for a while, long enough to be one of running text, at last.";
  EXPECT_TRUE(Outlined("<p>" + sentence).run(0).is_prose);
  EXPECT_FALSE(Outlined("<p>Too short, this.").run(0).is_prose);
  EXPECT_FALSE(Outlined("<h2>" + sentence).run(0).is_prose);
  EXPECT_FALSE(Outlined("<p><a href=/>" + sentence + "</a>").run(0).is_prose);
  EXPECT_FALSE(Outlined("<div id=comments><p>" + sentence).run(0).is_prose);
  EXPECT_FALSE(Outlined("<p>" + std::string(100, 'x')).run(0).is_prose);
}

TEST(SheafOnlyOutlineSkips, WhatAReaderDoesNotSee) {
  const Outlined page(
      "<head><title>Title</title><style>p{}</style></head><p>seen</p><script>var x</script><style>b{}</style>"
      "<template><p>stamp</p></template><select><option>One<option>Two</select><textarea>typed</textarea>"
      "<button>Send</button><svg><text>drawn</text></svg><iframe>frame</iframe><video>old browser</video>"
      "<!-- comment --><label>label</label><noscript>Turn scripts on</noscript>");
  EXPECT_EQ(page.dump(), "paragraph seen\nother label\n");
}

TEST(SheafOnlyOutlineSkips, ControlsAndImagesAreCountedInTheirRegion) {
  const Outlined page(
      "<div><img src=a><img src=b><iframe></iframe><section><input><select></select>x</section></div>");
  EXPECT_EQ(page.region_of(html::Name::div).images, 3);
  EXPECT_EQ(page.region_of(html::Name::div).controls, 0);
  EXPECT_EQ(page.region_of(html::Name::section).controls, 2);
}

TEST(SheafOnlyOutlineSkips, AButtonInAHeadingIsItsText) {
  EXPECT_EQ(Outlined("<h3><button>Question?</button></h3><p><button>Buy</button></p>").dump(),
            "heading Question?\n");
}

TEST(SheafOnlyOutlineSkips, ATooltipInAHeadingIsNotItsText) {
  EXPECT_EQ(Outlined("<h3>Name<span class=tooltip>Copy the link</span></h3>").dump(), "heading Name\n");
  EXPECT_EQ(Outlined("<p>Name <span class=tooltip>explained</span></p>").dump(),
            "paragraph Name explained\n");
}

TEST(SheafOnlyOutlineSkips, ANoscriptThatSwallowsThePageIsThePage) {
  // The div does not close the noscript: without scripting, everything after it is inside.
  const std::string rest = "<h1>Title</h1><p>First paragraph</p><p>Second paragraph</p><ul><li>a<li>b</ul>";
  EXPECT_EQ(Outlined("<body><noscript><div>" + rest).dump(),
            "heading Title\nparagraph First paragraph\nparagraph Second paragraph\nitem a\nitem b\n");
  EXPECT_EQ(Outlined("<body><noscript><div>Turn scripts on</div></noscript>" + rest).dump(),
            "heading Title\nparagraph First paragraph\nparagraph Second paragraph\nitem a\nitem b\n");
}

TEST(SheafOnlyOutlineRegions, AreInDocumentOrderAndNested) {
  const Outlined page("<main><section><p>a</p><p>b</p></section><footer>c</footer></main>");
  const auto regions = page->regions();
  for (std::size_t i = 1; i < regions.size(); ++i) {
    EXPECT_LT(regions[i].parent, i);
    EXPECT_GT(regions[i].end, i);
    EXPECT_LE(regions[i].end, regions[regions[i].parent].end);
    EXPECT_LE(regions[i].first_run, regions[i].runs_end);
  }
  EXPECT_EQ(regions[0].parent, 0U);
  EXPECT_EQ(regions[0].runs_end, 3U);
  const Region& section = page.region_of(html::Name::section);
  EXPECT_EQ(section.first_run, 0U);
  EXPECT_EQ(section.runs_end, 2U);
  EXPECT_EQ(page->sums(section).chars, 4U);
  EXPECT_EQ(page->sums(page.region_of(html::Name::main)).chars, 6U);
  EXPECT_EQ(page->between(1, 1).chars, 0U);
}

TEST(SheafOnlyOutlineRegions, OfNodes) {
  const Outlined page("<div><p>a <b>b</b><img src=i></p><script>s</script></div>");
  const std::uint32_t paragraph = page->region_of(page.find(html::Name::p));
  EXPECT_EQ(page->regions()[paragraph].name, html::Name::p);
  EXPECT_EQ(page->region_of(page.find(html::Name::b)), paragraph);
  EXPECT_EQ(page->region_of(page.find(html::Name::img)), paragraph);
  EXPECT_EQ(page->region_of(page.find(html::Name::div)), page->regions()[paragraph].parent);
  const html::NodeId code = page.document().first_child(page.find(html::Name::script));
  EXPECT_EQ(page->region_of(code), PageOutline::kNoRegion);
  EXPECT_EQ(page->run_of(code), PageOutline::kNoRun);
  EXPECT_EQ(page->run_of(page.document().first_child(page.find(html::Name::b))), 0U);
  EXPECT_EQ(page.run(0).first, page.document().first_child(page.find(html::Name::p)));
}

TEST(SheafOnlyOutlineRegions, AnImageInANoscriptKeepsItsPosition) {
  const Outlined page("<p>one</p><p>two</p><div>text <noscript><img src=i></noscript></div><p>three</p>");
  EXPECT_EQ(page->region_of(page.find(html::Name::img)), page->region_of(page.find(html::Name::div)));
}

TEST(SheafOnlyOutlineRuns, ALinkAroundBlocksCountsInEach) {
  const Outlined page("<a href=a>one<div>two</div><div>three <a href=b>four</a></div></a><p>five</p>");
  ASSERT_EQ(page.dump(), "other one\nother two\nother three four\nparagraph five\n");
  EXPECT_EQ(page.run(0).links, 1U);
  EXPECT_EQ(page.run(1).links, 1U);
  EXPECT_EQ(page.run(3).links, 0U);
}

TEST(SheafOnlyOutlineFinds, MetadataCandidates) {
  const Outlined page("<meta name=n content=c><body><div><p id=p>a</p><h1>b</h1><img src=i><a href=h>c");
  std::string found;
  for (const MetadataCandidate& element : page->metadata_candidates())
    found +=
        std::string(page.document().name_text(element.node)) + std::to_string(element.visible_elements) + " ";
  // head, div, p, h1, img and a are candidates or contain one; other elements are skipped.
  EXPECT_EQ(found, "html0 meta1 body1 p3 h14 a6 ");
}

TEST(SheafOnlyOutlineRegions, SiblingsOfOneNameAndClassAreCounted) {
  const Outlined page(
      "<section><div class=card>a</div><p>-</p><div class=card>b</div><div>c</div><div class=card>d</div>"
      "</section><aside><div class=card>e</div></aside>");
  std::vector<std::uint32_t> similar_siblings;
  for (const Region& region : page->regions())
    if (region.name == html::Name::div) similar_siblings.push_back(region.similar_siblings);
  EXPECT_EQ(similar_siblings, (std::vector<std::uint32_t>{3, 3, 1, 3, 1}));
  const Region& last_card = page->regions()[page.run(4).region];
  EXPECT_EQ(page->regions()[last_card.first_similar_sibling].node, page.find(html::Name::div));
}

TEST(SheafOnlyOutlineRegions, HintsOfNamesRolesAndProperties) {
  const Outlined page(
      "<body id=menu><div id='post-content'><section id=relatedPosts role=navigation><p>x</p></section>"
      "<div aria-hidden=true>h</div></div>"
      "<article class=share itemprop=articleBody>y</article>");
  EXPECT_EQ(page.region_of(html::Name::section).hints & (kHintRelated | kHintNavigation),
            kHintRelated | kHintNavigation);
  const std::uint32_t inner = page.region_of(html::Name::p).all_hints;
  EXPECT_NE(inner & kHintContent, 0U);  // of the div around
  EXPECT_NE(inner & kHintRelated, 0U);
  EXPECT_EQ(page.region_of(html::Name::p).hints, 0U);
  EXPECT_NE(page.region_of(html::Name::article).hints & kHintContent, 0U);
  EXPECT_EQ(page.region_of(html::Name::article).class_hints, kHintShare);
  EXPECT_EQ(page.region_of(html::Name::article).all_hints & kHintNavigation,
            0U);  // a body's class is everyone's
  EXPECT_TRUE(
      std::ranges::any_of(page->regions(), [](const Region& r) { return (r.hints & kHintHidden) != 0; }));
}

TEST(SheafOnlyOutlineManual, ByClassNames) {
  EXPECT_TRUE(Outlined("<div class=docutils>a</div><div class='sphinx note'>b</div>")->is_manual());
  EXPECT_FALSE(Outlined("<div class=docutils>a</div><div class=note>b</div>")->is_manual());
}

TEST(SheafOnlyOutlineManual, ByGenerator) {
  EXPECT_TRUE(Outlined("<meta name=Generator content='Docutils 0.19'><p>a")->is_manual());
  EXPECT_TRUE(Outlined("<meta name=generator content='MediaWiki 1.41'><p>a")->is_manual());
  EXPECT_FALSE(Outlined("<meta name=generator content='WordPress 6'><p>a")->is_manual());
  EXPECT_FALSE(Outlined("<meta name=description content='all about sphinx'><p>a")->is_manual());
  EXPECT_FALSE(Outlined("")->is_manual());
}

TEST(SheafOnlyOutlineManual, ByTheAmountOfCode) {
  std::string dense;
  for (int i = 0; i < 8; ++i) dense += "<p>Call <code>f()</code>.</p>";
  EXPECT_TRUE(Outlined(dense)->is_manual());
  EXPECT_EQ(Outlined(dense)->code_elements(), 8U);
  std::string sparse = dense;
  for (int i = 0; i < 60; ++i) sparse += "<p>No code at all.</p>";
  EXPECT_FALSE(Outlined(sparse)->is_manual());
  EXPECT_FALSE(Outlined("<p><code>a</code> <kbd>b</kbd>")->is_manual());
}

TEST(SheafOnlyOutlineMemory, OnePageLeavesNothingForTheNext) {
  html::Document document;
  PageOutline outline;
  const std::string manual =
      "<title>Old title</title><div class=docutils><div class=sphinx><a href=/><b><i>old";
  html::parse(manual, {}, document);
  outline.build(document);
  ASSERT_TRUE(outline.is_manual());
  const std::string plain = "<p>old title";
  html::parse(plain, {}, document);
  outline.build(document);
  const Outlined fresh(plain);
  EXPECT_FALSE(outline.is_manual());
  ASSERT_EQ(outline.runs().size(), 1U);
  EXPECT_EQ(outline.regions().size(), fresh->regions().size());
  EXPECT_FLOAT_EQ(outline.words(outline.runs()[0]).title_share, 0);
  EXPECT_EQ(outline.runs()[0].link_chars + outline.runs()[0].bold_chars + outline.runs()[0].italic_chars, 0U);
  EXPECT_EQ(outline.runs()[0].hash(), fresh.run(0).hash());
}

TEST(SheafOnlyOutlineMemory, AnEmptyPageHasNoRuns) {
  const Outlined page("");
  EXPECT_TRUE(page->runs().empty());
  EXPECT_EQ(page->sums(page->regions()[0]).chars, 0U);
}

TEST(SheafOnlyOutlineNoscript, IsThePageWhereScriptsWouldPutThatTogether) {
  std::string posts;
  for (int i = 0; i < 20; ++i) posts += "<div class=post><p>A post of the thread</p></div>";
  const std::string thread = "<noscript>" + posts + "</noscript>";
  EXPECT_EQ(Outlined("<body><p>Loading</p>" + thread)->runs().size(), 21U);
  // What is shown without it is more.
  std::string shown;
  for (int i = 0; i < 60; ++i) shown += "<p><b>A</b> <i>post</i> of the thread that all can see</p>";
  EXPECT_EQ(Outlined("<body>" + shown + thread)->runs().size(), 60U);
}

TEST(SheafOnlyOutlineTwins, DoNotDifferByTheirNumbers) {
  const Outlined page(
      "<div class='post post-1 tag-a odd'>a</div><div class='post post-22 tag-b even'>b</div>"
      "<div class='post post-3 last'>c</div><div class=other>d</div>");
  const auto regions = page->regions();
  EXPECT_EQ(regions[page->runs()[0].region].similar_siblings, 3U);
  EXPECT_EQ(regions[page->runs()[3].region].similar_siblings, 1U);
}

TEST(SheafOnlyOutlineHints, OfItemTypes) {
  const Outlined page(
      "<div itemtype=https://schema.org/Comment>a</div><div itemtype=http://schema.org/Review>b</div>"
      "<div itemtype=https://schema.org/Answer>c</div><div role=tabpanel>d</div><div itemtype=Thing>e</div>");
  const auto hints = [&](std::size_t run) { return page->regions()[page->runs()[run].region].hints; };
  EXPECT_EQ(hints(0), kHintComment);
  EXPECT_EQ(hints(1), kHintReview);
  EXPECT_EQ(hints(2), kHintPost);
  EXPECT_EQ(hints(3), kHintPanel);
  EXPECT_EQ(hints(4), 0U);
}

}  // namespace
}  // namespace sheaf::extract
