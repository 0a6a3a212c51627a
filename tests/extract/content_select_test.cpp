// Small but realistic pages: what must be content and what must not.
#include "sheaf/extract/content/content_select.h"

#include "extract/selected_page.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/parser.h"
#include "sheaf/html/selector.h"
#include "support/repeat.h"

#include <gtest/gtest.h>

#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sheaf::extract {
namespace {

using test::Selected;

constexpr std::string_view kSiteHeader = R"(
<header class="site-header"><a class="logo" href="/">The Harbour Post</a>
<nav class="main-nav"><ul><li><a href="/news">News</a></li><li><a href="/local">Local</a></li>
<li><a href="/sport">Sport</a></li><li><a href="/culture">Culture</a></li><li><a href="/weather">Weather report</a></li></ul></nav>
<form class="search" action="/search"><label>Search the site</label><input name="q"><button>Go</button></form></header>)";

constexpr std::string_view kSiteFooter = R"(
<footer class="site-footer"><ul><li><a href="/about">About us</a></li><li><a href="/privacy">Privacy policy</a></li>
<li><a href="/terms">Terms of use</a></li></ul><p>Copyright 2024 The Harbour Post. All rights reserved.</p></footer>
<div class="cookie-banner" role="dialog"><p>We use cookies to give you the best experience on our website.</p>
<button>Accept all</button></div></body></html>)";

std::string site_page(std::string_view title, std::string_view body) {
  return "<!doctype html><html lang=en><head><title>" + std::string(title) +
         " - The Harbour Post</title></head><body>" + std::string(kSiteHeader) + std::string(body) +
         std::string(kSiteFooter);
}

std::string article_page() {
  return site_page("Old lighthouse opens again after ten years", R"(
<div class="breadcrumb"><a href="/">Home</a> &gt; <a href="/local">Local</a></div>
<main><article class="post"><h1>Old lighthouse opens again after ten years</h1>
<p class="byline">By <a href="/author/jane">Jane Miller</a>, <time>12 May 2024</time></p>
<div class="share-bar"><a href="https://facebook.com/s">Share on Facebook</a> <a href="https://twitter.com/s">Tweet this</a></div>
<div class="entry-content">
<p>The lighthouse on the northern pier, closed since a storm damaged its stairs in 2014, will welcome visitors again from Saturday. The town council has spent three years on the repairs.</p>
<p>Work on the tower was slow, said the engineer in charge, because every stone had to be numbered, taken down and put back in its place. Only the iron railing is new.</p>
<h2>A light for the fishermen</h2>
<p>Built in 1871, the tower guided fishing boats through the narrow channel for more than a century. Its lamp burned oil until 1922, when the first electric bulb was installed.</p>
<blockquote><p>I climbed those stairs every evening for thirty years, and I never grew tired of the view.</p></blockquote>
<p>Visitors can climb the 142 steps every day between nine and five. Tickets cost four euros, and children under twelve enter free of charge.</p>
<ul><li>Open daily from nine to five, except in strong winds</li><li>Guided tours on Saturdays at eleven, in three languages</li></ul>
<p>The council expects some twenty thousand visitors in the first year, more than the small museum beside the harbour counts today.</p>
</div></article>
<section class="related-posts"><h3>You might also like</h3><ul>
<li><a href="/1">Harbour museum gets a new roof</a></li><li><a href="/2">Ferry timetable changes in June</a></li>
<li><a href="/3">Ten walks along the coast</a></li></ul></section>
<section id="comments" class="comments"><h3>2 comments</h3>
<ol class="commentlist"><li class="comment"><p class="comment-author">Peter says:</p><p>Great news, we will visit it soon.</p><a href="#r1">Reply</a></li>
<li class="comment"><p class="comment-author">Anna says:</p><p>About time they repaired it!</p><a href="#r2">Reply</a></li></ol></section></main>
<aside class="sidebar"><div class="widget"><h4>Most read</h4><ol><li><a href="/4">Bakery on the square closes</a></li>
<li><a href="/5">School wins chess cup</a></li></ol></div><div class="widget newsletter"><p>Subscribe to our newsletter</p></div></aside>)");
}

TEST(SheafOnlyContent, AnArticleWithoutWhatIsAroundIt) {
  const Selected page(article_page());
  page.expect_kept({"The lighthouse on the northern pier", "Work on the tower was slow",
                    "A light for the fishermen", "Built in 1871", "I climbed those stairs",
                    "Visitors can climb", "Open daily from nine to five", "Guided tours on Saturdays",
                    "The council expects"});
  page.expect_dropped({"Weather report", "Search the site", "Share on Facebook", "Tweet this",
                       "Harbour museum gets", "Ferry timetable", "Ten walks along", "Bakery on the square",
                       "Subscribe to our newsletter", "Privacy policy", "All rights reserved",
                       "We use cookies", "Reply"});
}

TEST(SheafOnlyContent, WhatIsDroppedWholeHoldsNothingThatIsKept) {
  const std::string html = article_page();
  html::Document document;
  html::parse(html, {}, document);
  PageOutline outline;
  outline.build(document);
  ContentSelector selector;
  const ContentMap& content = selector.select(document, outline, {});
  EXPECT_TRUE(content.is_dropped_whole(html::find_first(document, document.root(), html::Name::nav)));
  EXPECT_FALSE(content.is_dropped_whole(html::find_first(document, document.root(), html::Name::body)));
  for (const html::NodeId node : html::Descendants(document, document.root())) {
    if (!content.is_dropped_whole(node)) continue;
    EXPECT_FALSE(content.kept(node));
    for (const html::NodeId inside : html::Descendants(document, node)) EXPECT_FALSE(content.kept(inside));
  }
}

TEST(SheafOnlyContent, DocumentationWithItsCodeTableAndDefinitions) {
  const Selected page(R"(<!doctype html><html><head><title>open_queue - Queue library 2.1</title>
<meta name=generator content="Docutils 0.19"></head><body>
<div class="sphinxsidebar" role="navigation"><h3><a href="index.html">Table of Contents</a></h3><ul><li><a href="intro.html">Introduction</a></li>
<li><a href="install.html">Installation</a></li><li><a href="api.html">Reference</a></li><li><a href="faq.html">Questions and answers</a></li></ul>
<h4>Previous topic</h4><p><a href="install.html">Installation notes</a></p></div>
<div class="documentwrapper"><div class="body" role="main"><section id="open-queue">
<h1>open_queue<a class="headerlink" href="#open-queue">&para;</a></h1>
<p>Opens a queue by its name and creates it where there is none. The queue stays open until it is closed or the process ends.</p>
<div class="highlight"><pre>queue = open_queue("jobs", mode="rw")
queue.push(b"first")</pre></div>
<h2>Parameters</h2>
<dl><dt><code>name</code></dt><dd><p>The name of the queue. It may hold letters, digits and dashes.</p></dd>
<dt><code>mode</code></dt><dd><p>How the queue is opened; see the table below.</p></dd></dl>
<table class="docutils"><thead><tr><th>Mode</th><th>Meaning</th></tr></thead><tbody>
<tr><td><code>r</code></td><td>reading only</td></tr><tr><td><code>w</code></td><td>writing only</td></tr></tbody></table>
<h2>Errors</h2><p>If the name is taken by another kind of object, <code>NameTaken</code> is raised, and nothing is changed.</p>
<h2>See also</h2><ul><li><a href="close.html"><code>close_queue</code></a></li></ul>
</section></div></div>
<div class="footer" role="contentinfo">&copy; Copyright 2024, the authors. Created using Docutils.</div></body></html>)");
  EXPECT_TRUE(page.selector().outline().is_manual());
  page.expect_kept({"Opens a queue by its name", "open_queue(\"jobs\"", "Parameters", "The name of the queue",
                    "How the queue is opened", "Meaning", "reading only", "writing only", "Errors",
                    "NameTaken"});
  page.expect_dropped({"Questions and answers", "Installation notes", "Created using Docutils"});
}

TEST(SheafOnlyContent, ARecipe) {
  const Selected page(site_page("Grandmother's plum cake", R"(
<article class="recipe"><h1>Grandmother's plum cake</h1>
<p>This cake has been baked in our family every September for four generations. It is quickly made, keeps for days, and tastes best on the second one.</p>
<h2>Ingredients</h2><ul class="ingredients"><li>300 g flour</li><li>150 g cold butter</li><li>100 g sugar</li><li>1 egg</li><li>1 kg ripe plums</li></ul>
<h2>Method</h2><ol class="steps">
<li>Rub the butter into the flour and the sugar, add the egg and knead quickly to a smooth dough.</li>
<li>Let the dough rest in a cool place for half an hour, then roll it out and line the tin with it.</li>
<li>Halve the plums, take out the stones and lay them on the dough in circles, close to one another.</li>
<li>Bake for forty minutes at 180 degrees, until the juice begins to bubble between the plums.</li></ol>
<p>Serve the cake with whipped cream, and sprinkle it with sugar only when it has cooled down, or the juice will run.</p></article>
<div class="related"><h3>More recipes</h3><a href="/r1">Apple strudel</a> <a href="/r2">Cherry pie</a> <a href="/r3">Poppy seed rolls</a></div>)"));
  page.expect_kept({"baked in our family", "300 g flour", "150 g cold butter", "1 kg ripe plums",
                    "Rub the butter", "Let the dough rest", "Halve the plums", "Bake for forty minutes",
                    "Serve the cake"});
  page.expect_dropped({"Weather report", "Apple strudel", "Cherry pie", "Privacy policy", "We use cookies"});
}

TEST(SheafOnlyContent, AForumThreadWithAllItsPosts) {
  std::string posts;
  const std::pair<std::string_view, std::string_view> kPosts[] = {
      {"gardener42",
       "My tomato plants grow well, but the lower leaves turn yellow from the edges and fall off after a few "
       "days. What am I doing wrong, and should I cut them?"},
      {"greenthumb",
       "That is most likely a lack of magnesium, which is common in sandy soil. Dissolve a spoon of Epsom "
       "salt in ten litres of water, and give it to them once a week."},
      {"old_oak",
       "Before you add anything, look at how you water them. If the leaves get wet in the evening they stay "
       "wet all night, and that alone can make them yellow."},
      {"gardener42",
       "Thank you both! I have watered them in the morning for a week now, and the new leaves look healthy. "
       "I will try the salt, too, if it comes back."},
  };
  for (const auto& [user, text] : kPosts)
    posts += "<div class=\"message post\"><div class=\"user-info\"><a href=\"/u/" + std::string(user) +
             "\">" + std::string(user) + "</a><span>Posts: 214</span></div><div class=\"message-body\"><p>" +
             std::string(text) +
             "</p></div><div class=\"actions\"><a href=\"#q\">Quote</a> <a href=\"#l\">Like</a></div></div>";
  const Selected page(site_page("Yellow leaves on tomatoes",
                                "<div class=\"thread\"><h1>Yellow leaves on tomatoes</h1>" + posts +
                                    "</div><div class=\"pagination\"><a href=\"?p=2\">Next page</a></div>"));
  page.expect_kept(
      {"My tomato plants grow well", "a lack of magnesium", "Before you add anything", "Thank you both!"});
  page.expect_dropped({"Weather report", "Next page", "Privacy policy"});
}

TEST(SheafOnlyContent, AProduct) {
  const Selected page(site_page("Enamel teapot, 1.5 litres", R"(
<main class="product"><div class="gallery"><img src="/t1.jpg" alt="Teapot"><img src="/t2.jpg" alt="Teapot, open"></div>
<h1>Enamel teapot, 1.5 litres</h1><p class="price">39.90 EUR</p><button>Add to basket</button>
<div class="description"><p>A teapot of heavy steel with two layers of enamel, made in a small workshop that has worked the same way since 1932. It holds six cups and keeps them warm for an hour.</p>
<p>The lid sits tight when you pour, the handle stays cool, and the pot may be used on any stove, an open fire included. It should be washed by hand.</p></div>
<h2>Details</h2><table><tr><th>Volume</th><td>1.5 litres</td></tr><tr><th>Weight</th><td>820 grams</td></tr><tr><th>Colour</th><td>cobalt blue</td></tr></table></main>
<section class="recommendations"><h2>Customers also bought</h2><div class="card"><a href="/p1">Tea strainer</a><span>6.50 EUR</span></div>
<div class="card"><a href="/p2">Set of four mugs</a><span>24.00 EUR</span></div><div class="card"><a href="/p3">Tea towel, linen</a><span>9.00 EUR</span></div></section>)"));
  page.expect_kept({"A teapot of heavy steel", "The lid sits tight"});
  page.expect_dropped(
      {"Weather report", "Tea strainer", "Set of four mugs", "Privacy policy", "We use cookies"});
}

TEST(SheafOnlyContent, AListingKeepsItsEntries) {
  std::string entries;
  const std::pair<std::string_view, std::string_view> kEntries[] = {
      {"Ferry timetable changes",
       "From June the ferry to the islands leaves an hour earlier, and on Sundays there will be a second "
       "crossing in the evening."},
      {"New roof for the museum",
       "The harbour museum is closed until autumn. Its roof, which has leaked for years, is replaced by one "
       "of slate and glass."},
      {"Chess cup for the school",
       "For the third time in a row the girls of the grammar school have won the regional cup, this time "
       "without losing a game."},
      {"Bakery says goodbye",
       "After sixty years the bakery on the market square closes its doors, because nobody could be found to "
       "take it over."},
  };
  for (const auto& [title, text] : kEntries)
    entries += "<article class=entry><h2><a href=/n>" + std::string(title) + "</a></h2><p>" +
               std::string(text) + "</p></article>";
  const Selected page(site_page("Local news", "<main><h1>Local news</h1>" + entries + "</main>"));
  page.expect_kept({"From June the ferry", "The harbour museum is closed", "For the third time in a row",
                    "After sixty years"});
  page.expect_dropped({"Weather report", "Privacy policy", "We use cookies"});
}

TEST(SheafOnlyContent, AnArticleInGerman) {
  const Selected page(
      R"(<!doctype html><html lang=de><head><title>Der alte Leuchtturm öffnet wieder</title></head><body>
<nav><ul><li><a href=/>Startseite</a></li><li><a href=/nachrichten>Nachrichten</a></li><li><a href=/wetter>Wetterbericht</a></li></ul></nav>
<article><h1>Der alte Leuchtturm öffnet wieder</h1>
<p>Der Leuchtturm an der Nordmole, seit einem Sturm im Jahr 2014 geschlossen, empfängt ab Samstag wieder Besucher. Drei Jahre lang hat die Gemeinde ihn ausbessern lassen.</p>
<p>Die Arbeiten gingen langsam voran, sagt der Bauleiter, weil jeder Stein nummeriert, abgenommen und wieder an seinen Platz gesetzt werden musste. Nur das Geländer ist neu.</p>
<p>Der Turm wurde 1871 gebaut und wies den Fischern mehr als hundert Jahre lang den Weg durch die enge Fahrrinne. Bis 1922 brannte in der Lampe Öl.</p></article>
<section class=kommentare><h3>Kommentare</h3><p>Schreiben Sie den ersten Kommentar</p></section>
<footer><a href=/impressum>Impressum</a> <a href=/datenschutz>Datenschutz</a><p>Alle Rechte vorbehalten</p></footer></body></html>)");
  page.expect_kept(
      {"Der Leuchtturm an der Nordmole", "Die Arbeiten gingen langsam voran", "Der Turm wurde 1871 gebaut"});
  page.expect_dropped({"Wetterbericht", "Schreiben Sie den ersten", "Impressum", "Alle Rechte vorbehalten"});
}

TEST(SheafOnlyContent, AnArticleInJapanese) {
  const Selected page(R"(<!doctype html><html lang=ja><head><title>古い灯台が再び公開</title></head><body>
<nav><ul><li><a href=/>ホーム</a></li><li><a href=/news>ニュース</a></li><li><a href=/weather>天気予報</a></li></ul></nav>
<article><h1>古い灯台が再び公開</h1>
<p>二〇一四年の嵐で階段が壊れて以来閉鎖されていた北埠頭の灯台が、土曜日から再び一般に公開されます。町は三年をかけて修理を行いました。</p>
<p>工事は時間がかかりました。石を一つずつ番号をつけて取り外し、元の場所に戻さなければならなかったからです。新しいのは手すりだけです。</p>
<p>一八七一年に建てられたこの塔は、百年以上にわたり狭い水路を通る漁船を導いてきました。一九二二年までは油を燃やしていました。</p></article>
<footer><a href=/about>会社概要</a> <a href=/privacy>個人情報保護方針</a></footer></body></html>)");
  page.expect_kept({"二〇一四年の嵐で", "工事は時間がかかりました", "一八七一年に建てられた"});
  page.expect_dropped({"天気予報", "個人情報保護方針"});
}

html::Selector compiled(std::string_view text) {
  auto selector = html::Selector::compile(text);
  EXPECT_TRUE(selector.has_value()) << text;
  return *std::move(selector);
}

TEST(SheafOnlyContentSelectors, WhatTheUserNamesIsTheContent) {
  const html::Selector content = compiled("#comments, .byline");
  const Selected page(article_page(), {.content = &content});
  page.expect_kept({"Great news, we will visit", "About time they repaired", "Jane Miller", "Reply"});
  page.expect_dropped({"The lighthouse on the northern pier", "Weather report"});
}

TEST(SheafOnlyContentSelectors, WhatTheUserLeavesOutIsNot) {
  const html::Selector leave_out = compiled("blockquote, h2");
  const Selected page(article_page(), {.leave_out = &leave_out});
  page.expect_kept({"The lighthouse on the northern pier", "Built in 1871"});
  page.expect_dropped({"I climbed those stairs", "A light for the fishermen", "Weather report"});
}

TEST(SheafOnlyContentSelectors, LeavingOutWinsOverNaming) {
  const html::Selector content = compiled("article");
  const html::Selector leave_out = compiled(".share-bar");
  const Selected page(article_page(), {.content = &content, .leave_out = &leave_out});
  page.expect_kept({"Jane Miller", "Built in 1871"});
  page.expect_dropped({"Share on Facebook", "Weather report", "Great news, we will visit"});
}

TEST(SheafOnlyContentSelectors, OneThatMatchesNothingChangesNothing) {
  const html::Selector nothing = compiled("#of-another-site");
  const Selected plain(article_page());
  EXPECT_EQ(Selected(article_page(), {.content = &nothing, .leave_out = &nothing}).kept(), plain.kept());
  EXPECT_FALSE(plain.kept().empty());
}

TEST(SheafOnlyContentSelectors, MatchesInsideMatches) {
  const html::Selector divs = compiled("div");
  const html::Selector sections = compiled("section");
  const std::string html =
      "<p>a</p><div>b<div>c<section>d<section>e</section>f</section>g</div>h</div><p>i</p><div>j</div><p>k</"
      "p>";
  EXPECT_EQ(Selected(html, {.content = &divs}).kept(), "bcdefghj");
  EXPECT_EQ(Selected(html, {.content = &divs, .leave_out = &sections}).kept(), "bcghj");
  EXPECT_EQ(Selected(html, {.content = &sections, .leave_out = &divs}).kept(), "");
}

TEST(SheafOnlyContentSelectors, AMillionMatchesDeepInOneAnother) {
  // As deep as trees go, then side by side: the matches of all depths together hold each node 500 times.
  const html::Selector divs = compiled("div");
  const std::string html = test::repeat("<div>", 1'000'000) + "x";
  EXPECT_EQ(Selected(html, {.content = &divs}).kept(), "x");
  EXPECT_EQ(Selected(html, {.leave_out = &divs}).kept(), "");
}

/// Pages of one site: each with a text of its own, the same note after it, the same short heading and cell.
std::string noted_page(int number) {
  const std::string n = std::to_string(number);
  return "<html><head><title>Walk " + n + "</title></head><body><article><h1>Walk " + n +
         "</h1><p>Walk number " + n + " leads from the harbour along the cliffs to farm " + n +
         ", where there is fresh milk, and back through the woods on the other side of the hill.</p>"
         "<h2>How to get there by bus or on foot</h2><p>Take bus number " +
         n + " from the station and get off at stop " + n +
         ", then follow the signs with the yellow arrow until you reach the first gate, which is open.</p>"
         "<table><tr><th>Length of the walk</th><td>about " +
         n +
         " kilometres</td></tr></table>"
         "<p>Our walks are described to the best of our knowledge, but nobody can promise that every path is "
         "open, so you walk at your own risk.</p>"
         "</article></body></html>";
}

TEST(SheafOnlyContentSite, WhatRecursOverTheSiteIsItsFrame) {
  SiteProfile site;
  html::Document document;
  PageOutline outline;
  for (int i = 1; i <= 10; ++i) {
    const std::string html = noted_page(i);
    html::parse(html, {}, document);
    outline.build(document);
    site.add(outline);
  }
  EXPECT_EQ(site.pages(), 10U);
  const Selected alone(noted_page(3));
  alone.expect_kept({"Walk number 3", "at your own risk"});
  const Selected among(noted_page(3), {.site = &site});
  among.expect_kept({"Walk number 3", "How to get there", "Take bus number 3", "Length of the walk"});
  among.expect_dropped({"at your own risk"});
}

TEST(SheafOnlyContentSite, AnExactFrameTakesItsTextsAndNothingElse) {
  html::Document document;
  PageOutline outline;
  const std::string html = noted_page(3);
  html::parse(html, {}, document);
  outline.build(document);
  std::vector<std::uint64_t> keys;
  for (const TextRun& run : outline.runs())
    if (const auto text = as_frame_text(run); text && run.text.ends_with("at your own risk."))
      keys.push_back(text->key);
  ASSERT_EQ(keys.size(), 1U);
  const SiteProfile site = SiteProfile::load(SiteProfile(10, keys).save()).value();
  EXPECT_TRUE(site.is_exact());
  const Selected alone(noted_page(3));
  const Selected among(noted_page(3), {.site = &site});
  among.expect_kept({"Walk number 3", "How to get there", "Take bus number 3", "Length of the walk"});
  among.expect_dropped({"at your own risk"});
  EXPECT_LT(among.kept().size(), alone.kept().size());
}

TEST(SheafOnlyContentSite, WhatMayBelongToAFrame) {
  html::Document document;
  PageOutline outline;
  const std::string html =
      "<h2>How to get there by bus</h2><pre>#include &lt;gtk/gtk.h&gt;</pre><p>Notes</p>"
      "<p>All rights are reserved.</p><p><a href=/>Home</a></p>"
      "<table><tr><th>Length of the walk</th><td>about 3 kilometres</td></tr></table>";
  html::parse(html, {}, document);
  outline.build(document);
  std::vector<std::string> texts;
  for (const TextRun& run : outline.runs())
    if (as_frame_text(run)) texts.emplace_back(run.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"All rights are reserved.", "Home"}));
}

TEST(SheafOnlyContentSite, FewPagesSayNothing) {
  SiteProfile site;
  html::Document document;
  PageOutline outline;
  for (int i = 1; i <= 4; ++i) {
    const std::string html = noted_page(i);
    html::parse(html, {}, document);
    outline.build(document);
    site.add(outline);
  }
  EXPECT_EQ(Selected(noted_page(3), {.site = &site}).kept(), Selected(noted_page(3)).kept());
}

TEST(SheafOnlyContentSite, ATextRepeatedOnOnePageIsNotTemplate) {
  SiteProfile site;
  html::Document document;
  PageOutline outline;
  const std::string often = test::repeat("<p>This one text stands on the page again and again.</p>", 50);
  html::parse(often, {}, document);
  outline.build(document);
  const TextRun run = outline.runs()[0];
  site.add(outline);
  for (int i = 0; i < 9; ++i) {
    const std::string html = noted_page(i);
    html::parse(html, {}, document);
    outline.build(document);
    site.add(outline);
  }
  EXPECT_FALSE(site.is_frame(run));
}

TEST(SheafOnlyContentFallback, APageOfOneShortLineKeepsIt) {
  Selected("<p>Hello</p>").expect_kept({"Hello"});
  Selected("Page not found").expect_kept({"Page not found"});
  Selected("<html><body><h1>404</h1><p>Not found.</p></body></html>").expect_kept({"Not found."});
}

TEST(SheafOnlyContentFallback, IsNotForHugePages) {
  // So much content that its share, computed in 32 bits, would overflow to almost nothing.
  constexpr std::string_view kSentence =
      "The tower on the pier, which was closed for ten years, is open again. ";
  const std::string html =
      "<nav><ul><li><a href=/a>Weather report</a><li><a href=/b>Sport</a></ul></nav><article><p>" +
      test::repeat(kSentence, 85'900'000 / kSentence.size()) +
      "</p></article>"
      "<div class=related><p>Harbour museum gets a new roof</p><p>Ferry timetable changes in June, and more "
      "of the kind.</p></div>"
      "<section class=comments><p>Great news, we will visit it soon.</p></section>";
  Selected(html).expect_dropped(
      {"Weather report", "Harbour museum gets", "Ferry timetable changes", "Great news"});
}

TEST(SheafOnlyContentFallback, AnEmptyPageHasNone) {
  for (const std::string_view html : {"", "<!doctype html>", "<body></body>", "<script>x</script>", " \n "}) {
    const Selected page{std::string(html)};
    EXPECT_EQ(page.kept(), "") << html;
    EXPECT_TRUE(page.selector().outline().runs().empty());
  }
}

TEST(SheafOnlyContentTooltips, AreNeverContent) {
  const std::string body =
      "<article><h2>The lighthouse<span class=tooltip>Copy link to section</span></h2><p>The lighthouse on "
      "the northern pier, "
      "closed since a storm damaged its stairs, will welcome visitors again from Saturday on.</p>"
      "<div class=tooltip-content>A lighthouse is a tower with a lamp, which shows ships the way at night, "
      "and is found on coasts.</div>"
      "<p>Work on the tower was slow, said the engineer in charge, because every stone had to be numbered "
      "first.</p></article>";
  const Selected page(body);
  page.expect_kept({"The lighthouse on the northern pier", "Work on the tower"});
  page.expect_dropped({"Copy link to section", "A lighthouse is a tower"});
}

/// An article with `middle` between two paragraphs and `end` at its end.
std::string told_page(std::string_view middle, std::string_view end) {
  return site_page("Thirty years, one bearing at a time",
                   "<main><article><h1>Thirty years, one bearing at a time</h1>"
                   "<p>On the ninth of January I turned a bearing seat for the sailing club, in a shed, with "
                   "a lathe that was older than I was. Today we send one a day, to places I cannot "
                   "pronounce.</p>"
                   "<h2>What has changed</h2><p>We were one, and are nine. The lathe is the same; everything "
                   "around it was replaced at least once, the roof twice, and the cat four times.</p>" +
                       std::string(middle) +
                       "<h2>The first one</h2><p>Number one came back in November. The harbour had taken it "
                       "down, to put up a newer one, and thought that we might like it. It had its fifth "
                       "bearing and its third set of cups.</p>" +
                       std::string(end) + "</article></main>");
}

TEST(SheafOnlyContentTogether, AQuotationIsPartOfTheTextItFollows) {
  constexpr std::string_view kQuote =
      "<blockquote><p>I bought it because you said so. It could.</p>"
      "<footer><cite>from the harbour master's letter</cite></footer></blockquote>";
  Selected(told_page("", std::string(kQuote) + "<p>Thank you for the cake.</p>"))
      .expect_kept({"I bought it because", "harbour master's letter", "Thank you for the cake"});
  Selected(told_page("", kQuote)).expect_kept({"I bought it because", "harbour master's letter"});
  Selected(told_page(kQuote, "")).expect_kept({"I bought it because", "harbour master's letter"});
  // ... unless it is called something else.
  Selected(told_page("", "<div class=comments><blockquote class=comment><p>Me too.</p></blockquote></div>"))
      .expect_dropped({"Me too."});
}

TEST(SheafOnlyContentTogether, AHeadingBelongsToTheTextBelow) {
  const auto film_page = [](std::string_view heading) {
    return site_page(
        "Film: from bar to mast",
        "<div><main><h1>Film: from bar to mast</h1><p>We carried a camera behind one of them, "
        "from the brass bar to the top of a mast. It took eleven days, and four minutes are "
        "left of it.</p><h2>What you see</h2><ul>"
        "<li>Jory cuts a bar of brass into pieces as long as a thumb, and sorts them.</li>"
        "<li>The lathe. The seat of the bearing is turned last, in one go, without a stop.</li>"
        "<li>Cups are pressed from sheet aluminium around a steel ball, three at a time.</li>"
        "<li>Balancing: the rotor is laid across two knife edges, and filed until it "
        "stays.</li></ul>" +
            std::string(heading) +
            "<p>People ask why it costs what it costs. Nine hours is why.</p></main>"
            "<aside><h2>From the blog</h2><ul><li><a href=/1>Forty watts against the ice</a></li>"
            "<li><a href=/2>We filmed one of them</a></li></ul></aside></div>");
  };
  Selected(film_page("<h2>Why we show it</h2>")).expect_kept({"Why we show it", "Nine hours is why"});
}

TEST(SheafOnlyContentTogether, AListIsWhatItsHeadingAnnounces) {
  const Selected page(
      told_page("<h2>Look it up</h2><ul><li><a href=/c>Configuration</a>, <a href=/u>units</a>, <a "
                "href=/e>codes</a></li>"
                "<li><a href=/g>Glossary</a></li></ul>",
                "<aside><h2>Latest posts</h2><ul><li><a href=/1>Forty watts against the ice</a></li>"
                "<li><a href=/2>We filmed one</a></li></ul></aside>"));
  page.expect_kept({"Look it up", "Configuration", "Glossary"});
  page.expect_dropped({"Latest posts", "Forty watts", "We filmed one"});
}

TEST(SheafOnlyContentTogether, AListKeepsAllOfItsItems) {
  std::ifstream in(std::string(SHEAF_SOURCE_DIR) + "/examples/site/docs/index.html", std::ios::binary);
  const Selected page(std::string(std::istreambuf_iterator<char>(in), {}));
  // Each also stands in the sidebar, where something else follows it.
  page.expect_kept({"Getting started: from", "Mounting a mast, wiring, power", "Network, and time",
                    "HTTP interface, MQTT", "Guides with code: Python"});
}

TEST(SheafOnlyContentAddresses, OutsideOfParagraphsAreDataForScripts) {
  const Selected page(told_page(
      "<div>https://images.example/bearing-seat-large-view-1.jpg</div><p>https://example.com/bearings</p>",
      "<pre>http://localhost:8080/lathe</pre>"));
  page.expect_kept({"https://example.com/bearings", "http://localhost:8080/lathe"});
  page.expect_dropped({"bearing-seat-large-view"});
}

TEST(SheafOnlyContentMemory, OnePageLeavesNothingForTheNext) {
  const std::string pages[] = {article_page(), noted_page(1), "<p>Hello</p>", ""};
  ContentSelector selector;
  html::Document document;
  PageOutline outline;
  for (int round = 0; round < 2; ++round)
    for (const std::string& html : pages) {
      html::parse(html, {}, document);
      outline.build(document);
      const ContentMap& content = selector.select(document, outline, {});
      std::string kept;
      for (const html::NodeId node : html::Descendants(document, document.root()))
        if (document.kind(node) == html::NodeKind::text && content.kept(node)) kept += document.text(node);
      EXPECT_EQ(kept, Selected(html).kept());
    }
}

}  // namespace
}  // namespace sheaf::extract
