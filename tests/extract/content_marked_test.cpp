// Short pages whose authors mark what is content.
#include "extract/selected_page.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sheaf::extract {
namespace {

using test::Selected;

/// As small generators of sites write it.
std::string plain_page(std::string_view main) {
  return "<!doctype html><html lang=en><head><title>A post | Pier notes</title></head><body>"
         "<header><a href=/>Pier notes</a><nav><ul><li><a href=/posts/>All posts</a></li>"
         "<li><a href=/about/>About me</a></li></ul></nav></header>" +
         std::string(main) +
         "<aside class=sidebar><h3>Lately</h3><ul><li><a href=/1>Ropes and knots</a></li>"
         "<li><a href=/2>A new oar</a></li></ul></aside>"
         "<footer>Copyright 2024 Kim. Powered by Penguin.</footer></body></html>";
}

std::string post(std::string_view text) {
  return plain_page("<main><article><h1>Low tide</h1>" + std::string(text) + "</article></main>");
}

TEST(SheafOnlyContentMarked, AShortPostIsWhole) {
  const Selected page(post(
      "<p>Crabs.</p><h2>Tools</h2><p>A bucket.</p><ul><li>net<ul><li>small</li></ul></li><li>boots</li></ul>"
      "<blockquote><p>The sea is patient.</p></blockquote><pre><code>tide --low\n</code></pre>"
      "<table><thead><tr><th>Day</th><th>Hour</th></tr></thead><tbody><tr><td>Monday</td><td>7:15</td></tr>"
      "</tbody></table><p>More soon.</p>"));
  page.expect_kept({"Low tide", "Crabs.", "Tools", "A bucket.", "net", "small", "boots",
                    "The sea is patient.", "tide --low", "Day", "Hour", "Monday", "7:15", "More soon."});
  page.expect_dropped({"All posts", "About me", "Lately", "Ropes and knots", "Powered by"});
}

TEST(SheafOnlyContentMarked, AMainWithoutAnArticleToo) {
  const Selected page(plain_page("<div role=main><h1>Not here</h1><p>Nothing at this address.</p></div>"));
  page.expect_kept({"Not here", "Nothing at this address."});
  page.expect_dropped({"All posts", "Lately", "A new oar", "Powered by"});
}

TEST(SheafOnlyContentMarked, TheOnlyArticleWithoutAMain) {
  const Selected page(plain_page("<div><article><h1>Low tide</h1><p>Crabs.</p></article></div>"));
  page.expect_kept({"Low tide", "Crabs."});
  page.expect_dropped({"All posts", "Lately", "A new oar", "Powered by"});
}

TEST(SheafOnlyContentMarked, AListOfPagesIsThatAlone) {
  const Selected page(
      plain_page("<main><h1>Tags</h1><ul><li><a href=/t/crabs>crabs</a></li>"
                 "<li><a href=/t/nets>nets</a></li></ul></main>"));
  page.expect_kept({"Tags", "crabs", "nets"});
  page.expect_dropped({"All posts", "Lately", "A new oar", "Powered by"});
}

TEST(SheafOnlyContentMarked, ElementsBesideTheTextAreDropped) {
  const Selected page(post(
      "<p class=meta><time>3 May 2024</time> · 1 min</p><p>Crabs.</p>"
      "<div class=share-buttons><a href=https://s.example>Send it on</a></div>"
      "<nav><a href=#a>On this page</a></nav><h3>Related posts</h3><ul><li><a href=/7>Of whelks</a></li></ul>"
      "<section class=comments><p>Nice bucket!</p></section>"
      "<form><p>Write to me</p><input name=q></form>"));
  page.expect_kept({"Low tide", "Crabs."});
  page.expect_dropped({"3 May 2024", "Send it on", "On this page", "Related posts", "Of whelks",
                       "Nice bucket!", "Write to me"});
}

TEST(SheafOnlyContentMarked, ABoxInTheTextIsPartOfIt) {
  Selected(post("<p>Crabs.</p><div class='notice warning'><p>They pinch.</p></div><p>Wear gloves.</p>"))
      .expect_kept({"Crabs.", "They pinch.", "Wear gloves."});
}

TEST(SheafOnlyContentMarked, AMarkThatLeavesOutMostOfTheTextIsNotBelieved) {
  std::string text;
  for (const std::string_view place : {"the harbour", "the old mill", "the long beach", "the chapel"})
    text +=
        "<p>From there the path leads along the cliffs to " + std::string(place) +
        ", which takes an hour, and longer when the wind is against you. Bring water, for there is none.</p>";
  const Selected page(
      plain_page("<main><p>Walks.</p></main><div class=text><h1>A walk</h1>" + text + "</div>"));
  page.expect_kept({"the old mill", "the long beach"});
}

TEST(SheafOnlyContentMarked, ProseInTheFooterDoesNotOutweighAShortText) {
  const Selected page(
      "<html><head><title>A post</title></head><body><main><article><h1>Low "
      "tide</h1><p>Crabs.</p></article></main>"
      "<footer><p>I live by the sea, mend nets, row, and write about what the tide brings in. These notes "
      "are "
      "written on the pier, in pencil, and typed up at home in the evening.</p></footer></body></html>");
  page.expect_kept({"Low tide", "Crabs."});
  page.expect_dropped({"I live by the sea"});
}

TEST(SheafOnlyContentMarked, PagersAreNotContent) {
  for (const std::string_view pager :
       {"<p class=pn><a href=/8>Next: Of eels</a></p>", "<p>Previous: <a href=/8>Of eels</a></p>",
        "<p><a rel=prev href=/8>Of eels</a></p>", "<div><a href=/8>← Older post: Of eels</a></div>",
        "<p>Vorheriger Beitrag: <a href=/8>Of eels</a></p>",
        "<div class=nav-links><a href=/8>Of eels</a></div>", "<p>« <a rel='prev' href=/8>Of eels</a></p>"}) {
    SCOPED_TRACE(pager);
    const Selected page(post("<p>Crabs, and little else today.</p>" + std::string(pager)));
    page.expect_kept({"Crabs, and little else"});
    page.expect_dropped({"Of eels"});
  }
  Selected(post("<p>Crabs.</p><p><a href=/8>Next to the pier</a> they hide.</p>"))
      .expect_kept({"Next to the pier", "they hide."});
}

TEST(SheafOnlyContentMarked, NotesAtTheFootOfAText) {
  const std::string prose =
      "<p>The lighthouse on the northern pier, closed since a storm damaged its stairs, will welcome "
      "visitors "
      "again from Saturday. The town council has spent three years on the repairs.</p>";
  for (const std::string_view notes :
       {"<div class=footnotes role=doc-endnotes><hr><ol><li id=fn:1><p>In winter. <a "
        "href=#r>↩</a></p></li></ol></div>",
        "<section class=footnotes><ol><li>In winter. <a href=#r>↩</a></li></ol></section>",
        "<ol class=footnotes-list><li>In winter. <a href=#r>↩</a></li></ol>",
        "<section role=doc-endnotes><p>In winter.</p></section>"}) {
    SCOPED_TRACE(notes);
    Selected(post("<p>Crabs.</p>" + std::string(notes))).expect_kept({"In winter."});
    // No marks, and more text.
    Selected(plain_page("<div class=entry><h1>Low tide</h1>" + prose + prose + prose + prose +
                        std::string(notes) + "</div>"))
        .expect_kept({"In winter."});
  }
}

TEST(SheafOnlyContentMarked, ATableHasTheNamesOfItsColumns) {
  const std::string above =
      "<p>Visitors can climb the steps every day between nine and five, except in strong winds. Tickets cost "
      "four euros, and children under twelve enter free of charge, with a grown-up.</p>"
      "<p>The tower was built in 1871, when the harbour was deeper, and its lamp burned oil until the first "
      "electric bulb was installed in 1922, by a man from the next town.</p>"
      "<p>From the top one sees both rivers, the salt works and, on clear days, the island with its chapel, "
      "which nobody has visited since the war.</p>";
  const std::string below =
      "<p>Dogs have to wait outside, in the shade of the wall, where there is water for them, and the keeper "
      "looks after them if nobody else does.</p>";
  for (const std::string_view head :
       {"<thead><tr><th>Qy</th><th>Zw</th></tr></thead><tbody>", "<tbody><tr><th>Qy</th><th>Zw</th></tr>"}) {
    SCOPED_TRACE(head);
    Selected(plain_page("<div class=entry>" + above + "<table>" + std::string(head) +
                        "<tr><td>In summer, from May to September</td><td>nine to five, every day</td></tr>"
                        "<tr><td>In winter, if it does not storm</td><td>ten to three, on Sundays</td></tr>"
                        "</tbody></table>" +
                        below + "</div>"))
        .expect_kept({"Qy", "Zw", "In summer", "ten to three"});
  }
}

TEST(SheafOnlyContentMarked, ShortTextsBesideAShortMainAreTheSites) {
  const Selected page(
      "<html><head><title>Hello</title></head><body><div>Notes of Kim</div><main><p>Hello there.</p></main>"
      "<div>Made with love</div></body></html>");
  page.expect_kept({"Hello there."});
  page.expect_dropped({"Notes of Kim", "Made with love"});
}

}  // namespace
}  // namespace sheaf::extract
