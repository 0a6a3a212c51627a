// Faults that pages of popular site generators and shops once showed, one by one.
#include "extract/block_dump.h"
#include "sheaf/extract/extract.h"
#include "sheaf/markdown/page_markdown.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sheaf::extract {
namespace {

struct SitePage {
  std::string title;
  std::string blocks;
  std::string published;
};

SitePage read_site(std::string_view html) {
  Extractor extractor;
  ExtractOptions options;
  options.url = "https://e.org/guide/";
  const Page& page = extractor.extract(html, options).page;
  return {std::string(page.title), dump_blocks(page.content), std::string(page.published.value_or(""))};
}

bool site_has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// Titles end with a permalink sign.
TEST(SheafOnlySiteFaults, TitlesHaveNoPermalinkSigns) {
  for (const std::string_view sign : {"&para;", "#", "&#8203;", "&sect;"}) {
    const std::string page =
        "<html><head><title>Guide - Manual</title></head><body><main><h1 id=g>Guide<a class=headerlink "
        "href='#g' title='Permanent link'>" +
        std::string(sign) + "</a></h1><p>Text of the guide.</p></main>";
    EXPECT_EQ(read_site(page).title, "Guide") << sign;
    EXPECT_EQ(read_site(page).blocks, "h1 Guide\ntext Text of the guide.\n") << sign;
  }
}

// sphinx-tabs and sphinx-design
TEST(SheafOnlySiteFaults, PanelsOfTabsEachWithItsLabel) {
  EXPECT_EQ(
      dump_blocks(
          "<div class='sphinx-tabs docutils container'><div aria-label='Tabbed content' class=closeable "
          "role=tablist><button aria-controls=p0 class=sphinx-tabs-tab role=tab>C</button><button "
          "class=sphinx-tabs-tab role=tab>Rust</button></div><div class=sphinx-tabs-panel id=p0 "
          "role=tabpanel><p>Use make.</p></div><div class=sphinx-tabs-panel hidden=true "
          "role=tabpanel><p>Use cargo.</p></div></div>"),
      "text C\ntext Use make.\ntext Rust\ntext Use cargo.\n");
  EXPECT_EQ(dump_blocks("<div class=sd-tab-set><input type=radio><label class=sd-tab-label>C</label><div "
                        "class=sd-tab-content><p>Use make.</p></div><input type=radio><label "
                        "class=sd-tab-label>Rust</label>"
                        "<div class=sd-tab-content><p>Use cargo.</p></div></div>"),
            "text C\ntext Use make.\ntext Rust\ntext Use cargo.\n");
}

// The list of posts of WordPress's own classic theme.
TEST(SheafOnlySiteFaults, HeadingsOfAPostListAreKeptAndReadMoreIsDropped) {
  const SitePage page = read_site(
      R"(<html><head><title>Notes</title><meta name="generator" content="WordPress 6.1.9"></head><body class="home blog">
<main id="main"><article class="post type-post hentry"><header class="entry-header"><h2 class="entry-title"><a href="/cups/">On cups</a></h2>
<figure class="post-thumbnail"><a class="post-thumbnail-inner" href="/cups/"><img width="800" height="400" src="/cup.jpg" class="wp-post-image" alt="A cup"></a></figure></header>
<div class="entry-content"><p>Cups are small vessels that hold coffee or tea&hellip; <a class="more-link" href="/cups/">Continue reading <span class="screen-reader-text">On cups</span></a></p></div>
<footer class="entry-footer"><span class="posted-on">Published <time>May 1, 2024</time></span></footer></article>
<article class="post type-post hentry"><header class="entry-header"><h2 class="entry-title"><a href="/pots/">On pots</a></h2></header>
<div class="entry-content"><p>Pots are large vessels in which soup is cooked for many people.</p></div></article></main></body></html>)");
  EXPECT_TRUE(site_has(page.blocks, "h2 On cups\n")) << page.blocks;
  EXPECT_TRUE(site_has(page.blocks, "h2 On pots\n")) << page.blocks;
  EXPECT_TRUE(site_has(page.blocks, "image https://e.org/cup.jpg A cup\n")) << page.blocks;
  EXPECT_FALSE(site_has(page.blocks, "Continue reading")) << page.blocks;
}

TEST(SheafOnlySiteFaults, TheFeaturedImageOfAPostBelongsToIt) {
  const SitePage page = read_site(
      R"(<html><head><title>On cups - Notes</title><meta name="generator" content="WordPress 6.4"></head><body class="single-post">
<main><article class="hentry"><header><h1 class="entry-title">On cups</h1><figure class="post-thumbnail"><img width="800" height="400" src="/cup.jpg" class="wp-post-image" alt="A cup"></figure></header>
<div class="entry-content"><p>Cups are small vessels from which people drink coffee or tea, and they have been made of clay for thousands of years.</p>
<p>They were found in the oldest towns of the valley, beside ovens, and most of them had been painted by the same hand.</p></div></article>
<section class="related"><h3>More</h3><div class="post-thumbnail"><img width="300" height="200" src="/other.jpg" class="wp-post-image" alt="Other"></div></section></main></body></html>)");
  EXPECT_TRUE(site_has(page.blocks, "h1 On cups\nimage https://e.org/cup.jpg A cup\ntext Cups are small"))
      << page.blocks;
  EXPECT_FALSE(site_has(page.blocks, "other.jpg")) << page.blocks;
}

// A date in a list of recent posts is not the page's: else one new post would change every page.
TEST(SheafOnlySiteFaults, ADateOfTheSidebarIsNotThePages) {
  const auto page = [](std::string_view date) {
    return "<html><head><title>On cups</title></head><body><main><article><h1>On cups</h1><p>Cups are small "
           "vessels from which "
           "people drink coffee or tea, and they have been made of clay for thousands of "
           "years.</p></article></main><aside "
           "class=sidebar><h2>Recent posts</h2><ul><li><a href=/p>On pots</a> <time datetime='" +
           std::string(date) + "'>" + std::string(date) + "</time></ul></aside>";
  };
  EXPECT_EQ(read_site(page("2024-05-01")).published, "");
  EXPECT_EQ(read_site(page("2024-05-01")).blocks, read_site(page("2024-06-01")).blocks);
}

// Page builders put every text into a dozen elements.
TEST(SheafOnlySiteFaults, PagesOfAPageBuilder) {
  const auto widget = [](std::string_view kind, std::string_view inside) {
    return "<div class='elementor-element elementor-widget elementor-widget-" + std::string(kind) +
           "'><div class=elementor-widget-container>" + std::string(inside) + "</div></div>";
  };
  const auto section = [](const std::string& inside) {
    return "<section class='elementor-section elementor-top-section'><div class='elementor-container'><div "
           "class='elementor-column'><div class='elementor-widget-wrap'>" +
           inside + "</div></div></div></section>";
  };
  const std::string page =
      "<html><head><title>Cups by hand</title><meta name=generator content='Elementor 3.18.0'></head><body "
      "class='page elementor-page'><header class='elementor-location-header'><nav><a "
      "href=/>Home</a></nav></header><div "
      "class='elementor elementor-7' data-elementor-type=wp-page>" +
      section(
          widget("heading", "<h1 class='elementor-heading-title'>Cups by hand</h1>") +
          widget("text-editor",
                 "<p>We have made cups of clay in this valley for three generations, each by hand.</p>")) +
      section(widget("heading", "<h2 class='elementor-heading-title'>What we offer</h2>") +
              widget("icon-list",
                     "<ul class='elementor-icon-list-items'><li class='elementor-icon-list-item'><span "
                     "class='elementor-icon-list-text'>Blue cups for the kitchen</span><li "
                     "class='elementor-icon-list-item'><span class='elementor-icon-list-text'>Red cups for "
                     "guests</span></ul>") +
              widget("image", "<img src=/cup.jpg alt='A cup' width=800 height=600>")) +
      section(widget("accordion",
                     "<div class='elementor-accordion'><div class='elementor-accordion-item'><div "
                     "class='elementor-tab-title' role=button><a class='elementor-accordion-title' "
                     "tabindex=0>How long do "
                     "they last?</a></div><div class='elementor-tab-content' role=region "
                     "style='display:none'><p>A cup of "
                     "ours lasts for a lifetime if you do not drop it.</p></div></div></div>")) +
      "</div><footer class='elementor-location-footer'><p>All rights reserved.</p></footer></body></html>";
  const std::string blocks = read_site(page).blocks;
  for (const std::string_view part :
       {"h1 Cups by hand\n", "for three generations", "h2 What we offer\n", "Blue cups for the kitchen",
        "Red cups for guests", "image https://e.org/cup.jpg A cup\n", "How long do they last?",
        "lasts for a lifetime"})
    EXPECT_TRUE(site_has(blocks, part)) << part << "\n" << blocks;
  EXPECT_FALSE(site_has(blocks, "All rights")) << blocks;
  EXPECT_FALSE(site_has(blocks, "Home")) << blocks;
}

TEST(SheafOnlySiteFaults, QuestionsInsideButtonsStay) {
  const std::string blocks =
      read_site(R"(<html><head><title>Questions</title></head><body><main><h1>Questions</h1>
<div class="accordion-item"><h3 class="accordion-header"><button class="accordion-button" type="button" aria-expanded="false">How long does a cup last?</button></h3>
<div class="accordion-collapse collapse"><div class="accordion-body">It lasts for a lifetime if nobody drops it on the floor.</div></div></div>
<div class="accordion-item"><button class="accordion-button" aria-expanded="false" aria-controls="a2">Which cup is best?</button><div class="collapse" id="a2" hidden><p>The blue one is best for coffee, and the red one for tea.</p></div></div></main>)")
          .blocks;
  for (const std::string_view part :
       {"How long does a cup last?", "lifetime", "Which cup is best?", "the red one for tea"})
    EXPECT_TRUE(site_has(blocks, part)) << part << "\n" << blocks;
}

TEST(SheafOnlySiteFaults, WhatAClickRevealsIsContent) {
  const std::string blocks =
      read_site(
          R"(<html><head><title>Cups</title></head><body><main><h1>Cups</h1><p>Cups are small vessels from which people drink.</p>
<details><summary>History</summary><p>They were found in the oldest towns of the valley, beside ovens.</p></details>
<div class="read-more-content" style="display:none"><p>Most of them had been painted by the same few hands, it is said.</p></div></main>)")
          .blocks;
  for (const std::string_view part : {"History", "beside ovens", "same few hands"})
    EXPECT_TRUE(site_has(blocks, part)) << part << "\n" << blocks;
}

TEST(SheafOnlySiteFaults, EveryItemOfALongListStays) {
  std::string page =
      "<html><head><title>Options</title></head><body><main><h1>Options</h1><p>All options of the program, "
      "in the "
      "order of the alphabet.</p><ul>";
  for (int i = 0; i < 80; ++i)
    page += "<li><a href='#o" + std::to_string(i) + "'><code>--o" + std::to_string(i) + "</code></a>";
  const std::string blocks =
      read_site(page + "</ul><p>Each may be written twice, and then the last one counts.</p></main>").blocks;
  for (int i = 0; i < 80; ++i)
    EXPECT_TRUE(site_has(blocks, "--o" + std::to_string(i) + (i == 79 ? "\n" : " /"))) << i << blocks;
}

TEST(SheafOnlySiteFaults, FootnotesAndTheirMarksStay) {
  EXPECT_EQ(dump_blocks("<p>Cups are old<sup id=r1><a class=footnote-ref href='#fn1'>1</a></sup>.</p><div "
                        "class=footnote><hr><ol><li id=fn1><p>Very old.&nbsp;<a class=footnote-backref "
                        "href='#r1'>&#8617;</a></p></li></ol></div>"),
            "text Cups are old[1].\nordered Very old.\n");
}

// Backslashes that mean nothing in Markdown are not written twice.
TEST(SheafOnlySiteFaults, BackslashesAreNotDoubled) {
  Extractor extractor;
  ExtractOptions options;
  options.url = "https://e.org/";
  options.inline_structure = InlineStructure::keep;
  const Page& page =
      extractor
          .extract(
              "<html><main><h1>T</h1><p>Data is in C:\\data and <code>C:\\temp</code>, and <span "
              "class=arithmatex>\\(a \\leq b\\)</span>.</p></main>",
              options)
          .page;
  EXPECT_EQ(markdown::page_markdown(page), "# T\n\nData is in C:\\data and `C:\\temp`, and $a \\leq b$.\n");
}

}  // namespace
}  // namespace sheaf::extract
