// What a small change of a page may and may not change in its content. The pages and the changes are
// examples; the relations are the promise: a block of text put between two paragraphs comes out in its kind,
// a box that is not content stays out, and everything else stays as it was.
#include "extract/block_dump.h"
#include "sheaf/extract/extract.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::extract {
namespace {

constexpr std::string_view kSpot = "<!--spot-->";  // where a change is made

constexpr std::string_view kHead =
    R"(<!doctype html><html lang=en><head><title>Bridges of the valley</title></head><body>
<header><a href="/">The Valley</a><nav><ul><li><a href="/news">News</a></li><li><a href="/maps">Maps</a></li><li><a href="/about">About</a></li></ul></nav></header>)";
constexpr std::string_view kFoot =
    R"(<footer><p>Copyright 2024 The Valley. <a href="/privacy">Privacy</a></p></footer></body></html>)";

/// The text of a page in the ways in which sites write it.
struct Layout {
  std::string_view name;
  std::string_view begin;
  std::string_view end;
};
constexpr Layout kLayouts[] = {
    {"article", "<main><article class=\"post\"><h1>Bridges of the valley</h1>", "</article></main>"},
    {"wrapped", "<div class=\"a1x\"><div class=\"b2y\"><h1>Bridges of the valley</h1><div class=\"c3z\">",
     "</div></div><div class=\"d4w\"><h3>Read next</h3><ul><li><a href=\"/1\">The mills of the valley, a "
     "walk</a></li>"
     "<li><a href=\"/2\">The castles of the valley, a walk</a></li></ul></div></div>"},
    {"bare", "<h1>Bridges of the valley</h1>", ""},
    {"sections",
     "<div id=content><section><h2>Beginnings</h2><p>The first bridge was a tree, says a chronicle of the "
     "town, and it fell in the flood of 1342.</p><p>Nobody built another one for sixty years, for want of "
     "money and of wood.</p></section><section>",
     "</section></div>"},
};

std::string page(const Layout& layout, std::string_view change) {
  std::string html(kHead);
  html += layout.begin;
  html +=
      "<p>Five bridges cross the river between the two towns, and each of them was built by somebody "
      "else.</p>"
      "<p>The oldest one has three arches of red stone, which masons from the south laid in a single "
      "summer.</p>"
      "<p>Its keeper lived in a small house at the western end, and he was paid in firewood and in salt.</p>";
  html += change;
  html +=
      "<p>The second bridge is made of iron. It was opened in 1887 by the mayor, in the middle of a "
      "storm.</p>"
      "<p>Trains crossed it until the quarry closed; now people walk there with their dogs in the "
      "evening.</p>"
      "<p>The other three are younger, and none of them has a name that anybody remembers without a map.</p>";
  html += layout.end;
  html += kFoot;
  return html;
}

struct Change {
  std::string_view name;
  std::string_view html;
  std::string_view text;  // of a block that must come out
};
constexpr Change kBlocks[] = {
    {"code", "<pre class=\"language-bash\"><code class=\"language-bash\">make herons</code></pre>",
     "make herons"},
    {"highlighted code", "<div class=\"highlight\"><pre><span>make</span> herons</pre></div>", "make herons"},
    {"short", "<p>Herons win.</p>", "Herons win."},
    {"list", "<ul><li>Flour of herons</li><li>Sugar of herons</li></ul>", "Flour of herons"},
    {"steps", "<ol><li>Take a heron.</li><li>Let the heron go.</li></ol>", "Take a heron."},
    {"table",
     "<div class=\"table-responsive\"><table><tr><th>Heron</th><th>Size</th></tr><tr><td>Grey heron</td>"
     "<td>98 cm</td></tr></table></div>",
     "Grey heron"},
    {"quote", "<blockquote><p>All herons flow.</p></blockquote>", "All herons flow."},
    {"heading", "<h2>Heron quantities</h2><p>Two spoons of herons.</p>", "Heron quantities"},
    {"caption",
     "<figure><img src=\"https://pics.example/heron.png\" alt=\"A heron\" width=640 height=400><figcaption>"
     "Heron at dawn</figcaption></figure>",
     "Heron at dawn"},
    {"details", "<details><summary>Heron solution</summary><p>Forty-two herons.</p></details>",
     "Forty-two herons."},
    {"note", "<div class=\"admonition note\"><p>Herons may bite.</p></div>", "Herons may bite."},
    {"alert", "<div class=\"alert alert-info\" role=\"alert\">Herons are protected in winter.</div>",
     "Herons are protected in winter."},
    {"terms", "<dl><dt>Heron</dt><dd>A heron is a wading bird.</dd></dl>", "A heron is a wading bird."},
    {"section", "<section><h3>Heron homes</h3><p>Herons live near rivers.</p></section>",
     "Herons live near rivers."},
    {"link", "<p>The <a href=\"https://herons.example/\">heron society</a> has a list.</p>", "heron society"},
    {"aside", "<aside class=\"pullquote\"><p>Herons never hurry.</p></aside>", "Herons never hurry."},
    {"group", "<div class=\"group\"><div><p>Inner herons rest.</p></div></div>", "Inner herons rest."},
};
constexpr Change kBoxes[] = {
    {"related",
     "<div class=\"related-posts\"><h3>Related</h3><ul><li><a href=/h1>Heron news of today, one</a></li><li>"
     "<a href=/h2>Heron news of today, two</a></li><li><a href=/h3>Heron news of today, "
     "three</a></li></ul></div>",
     ""},
    {"related without a name",
     "<div><p>Read more</p><ul><li><a href=/h1>A heron came back to the town</a></li><li>"
     "<a href=/h2>A heron left the town again</a></li></ul></div>",
     ""},
    {"related in Russian",
     "<div><div>\xD0\xA7\xD0\xB8\xD1\x82\xD0\xB0\xD0\xB9\xD1\x82\xD0\xB5 "
     "\xD1\x82\xD0\xB0\xD0\xBA\xD0\xB6\xD0\xB5</div>"
     "<a href=/h1>A heron came back to the town</a></div>",
     ""},
    {"cards",
     "<div class=x7><div class=y1><a href=/h1><img src=/1.jpg width=200 height=100></a><h4><a href=/h1>A "
     "heron story, part one of it</a></h4></div>"
     "<div class=y1><a href=/h2><img src=/2.jpg width=200 height=100></a><h4><a href=/h2>A heron story, part "
     "two of it</a></h4></div>"
     "<div class=y1><a href=/h3><img src=/3.jpg width=200 height=100></a><h4><a href=/h3>A heron story, part "
     "three of it</a></h4></div></div>",
     ""},
    {"newsletter",
     "<div><h4>Get our heron newsletter</h4><p>Sign up for the heron letter.</p><form action=/s><input "
     "type=email>"
     "<button>Subscribe to herons</button></form></div>",
     ""},
    {"advertising",
     "<div class=\"ad-slot\"><span>Advertisement</span><a href=\"https://ads.example/1\">Buy heron "
     "feed</a></div>",
     ""},
    {"cookies",
     "<div role=dialog><p>We use heron cookies. Read our <a href=/p>heron policy</a>.</p><button>Accept all "
     "herons</button></div>",
     ""},
    {"author",
     "<div class=\"author-box\"><img src=/a.jpg><h4>About the heron author</h4><p>Heron Author writes about "
     "herons.</p>"
     "<a href=/a>More heron posts</a></div>",
     ""},
    {"comments",
     "<section id=comments><h2>2 heron comments</h2><ol><li class=comment><p>Heronfan</p><p>I saw a heron "
     "too.</p></li></ol></section>",
     ""},
    {"sharing", "<div class=\"share\"><a href=\"https://facebook.com/heron\">Share this heron</a></div>", ""},
    {"navigation", "<nav><a href=/1>Previous heron</a> <a href=/2>Next heron</a></nav>", ""},
    {"hidden", "<div style=\"display:none\"><p>Heron text that nobody sees.</p></div>", ""},
};

std::vector<std::string> blocks_of(std::string_view html) {
  Extractor extractor;
  const Extraction& extraction = extractor.extract(html, {.url = "https://valley.example/bridges"});
  std::vector<std::string> texts;
  for (const Block& block : extraction.page.content) texts.push_back(dump_block(block));
  return texts;
}

bool has_heron(const std::string& text) { return text.find("eron") != std::string::npos; }

std::vector<std::string> without_herons(std::vector<std::string> texts) {
  std::erase_if(texts, has_heron);
  return texts;
}

TEST(Metamorphic, ABlockBetweenParagraphsComesOutAndChangesNothingElse) {
  for (const Layout& layout : kLayouts) {
    const auto before = blocks_of(page(layout, ""));
    ASSERT_GE(before.size(), 6U) << layout.name;
    for (const Change& change : kBlocks) {
      const auto after = blocks_of(page(layout, change.html));
      EXPECT_TRUE(std::ranges::any_of(
          after, [&](const std::string& text) { return text.find(change.text) != std::string::npos; }))
          << layout.name << ": " << change.name;
      EXPECT_EQ(without_herons(after), before) << layout.name << ": " << change.name;
    }
  }
}

TEST(Metamorphic, ABoxStaysOutAndChangesNothingElse) {
  for (const Layout& layout : kLayouts) {
    const auto before = blocks_of(page(layout, ""));
    for (const Change& change : kBoxes)
      EXPECT_EQ(blocks_of(page(layout, change.html)), before) << layout.name << ": " << change.name;
  }
}

TEST(Metamorphic, AnEditChangesOneParagraph) {
  constexpr std::string_view kSixthBridge =
      "<p>A sixth bridge was planned in 1911, but the money for it went to the school and to the fire "
      "brigade.</p>";
  constexpr std::string_view kSixthBridgeCut = "<p>A sixth bridge.</p>";
  for (const Layout& layout : kLayouts) {
    const auto without = blocks_of(page(layout, ""));
    const auto with = blocks_of(page(layout, kSixthBridge));
    ASSERT_EQ(with.size(), without.size() + 1) << layout.name;
    const auto place = std::ranges::mismatch(with, without).in1 - with.begin();
    const auto repeated = blocks_of(page(layout, std::string(kSixthBridge) + std::string(kSixthBridge)));
    auto expected = with;
    expected.insert(expected.begin() + place, with[static_cast<std::size_t>(place)]);
    EXPECT_EQ(repeated, expected) << layout.name;
    expected = with;
    expected[static_cast<std::size_t>(place)] = "text A sixth bridge.";
    EXPECT_EQ(blocks_of(page(layout, kSixthBridgeCut)), expected) << layout.name;
  }
}

TEST(Metamorphic, WhatNobodySeesChangesNothing) {
  for (const Layout& layout : kLayouts) {
    const std::string html = page(layout, "");
    const auto before = blocks_of(html);
    std::string wrapped = html;
    wrapped.replace(wrapped.find("<body>"), 6, "<body><div id=q1><div class=q2>");
    EXPECT_EQ(blocks_of(wrapped), before) << layout.name;
    std::string marked;
    for (const char c : html) marked += c == '<' ? std::string("<") : std::string(1, c);
    for (std::size_t at = 0; (at = marked.find("<p>", at)) != std::string::npos;)
      marked.replace(at, 3, "<p data-v-1a2b3c4d>");
    EXPECT_EQ(blocks_of(marked), before) << layout.name;
  }
}

}  // namespace
}  // namespace sheaf::extract
