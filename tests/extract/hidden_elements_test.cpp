// Text that no visitor sees is not content, in whatever way it is hidden.
#include "sheaf/extract/outline/hidden_elements.h"

#include "sheaf/extract/extract.h"
#include "sheaf/html/dom.h"
#include "sheaf/html/parser.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sheaf::extract {
namespace {

constexpr std::string_view kText =
    "<p>Five bridges cross the river between the two towns, and each of them was built by somebody else.</p>"
    "<p>The oldest one has three arches of red stone, which masons from the south laid in a summer.</p>";

std::string shown_text(std::string_view change, std::string_view head = "") {
  const std::string html = "<html lang=en><head><title>Bridges</title>" + std::string(head) +
                           "</head><body><article>" + std::string(kText) + std::string(change) +
                           std::string(kText) + "</article></body></html>";
  Extractor extractor;
  std::string text;
  for (const Block& block : extractor.extract(html, {}).page.content)
    if (const auto* paragraph = std::get_if<TextBlock>(&block.kind))
      text += std::string(paragraph->text) + "\n";
  return text;
}

bool comes_out(std::string_view change, std::string_view head = "") {
  return shown_text(change, head).find("heron") != std::string::npos;
}

constexpr std::string_view kStyles[] = {
    "display:none",
    "DISPLAY : None !important",
    "visibility:hidden",
    "visibility: collapse",
    "opacity:0",
    "opacity: 0.0",
    "font-size:0",
    "font-size: 0px",
    "font-size:1px",
    "position:absolute;left:-9999px",
    "position:fixed; top:-200em",
    "text-indent:-9999px",
    "margin-left:-10000px",
    "width:0;height:0;overflow:hidden",
    "max-height:0;overflow:hidden",
    "height:1px;width:1px;overflow:hidden;position:absolute",
    "clip:rect(0 0 0 0);position:absolute",
    "clip-path:inset(50%)",
    "clip-path: circle(0)",
    "transform:scale(0)",
    "transform: translateX(-9999px)",
    "color:#fff;background:#fff",
    "color:white;background-color:#FFFFFF",
    "color:transparent",
    "content-visibility:hidden",
};

TEST(HiddenElements, StylesThatHide) {
  for (const std::string_view style : kStyles) {
    const std::string attribute = "style=\"" + std::string(style) + "\"";
    EXPECT_FALSE(comes_out("<div " + attribute + "><p>A heron that nobody sees.</p></div>")) << style;
    EXPECT_FALSE(comes_out("<p " + attribute + ">A heron that nobody sees.</p>")) << style;
    EXPECT_FALSE(comes_out("<p>Before <span " + attribute + ">the heron</span> after it.</p>")) << style;
    const std::string sheet = "<style>p{margin:0} .x7, div.y{" + std::string(style) + "}</style>";
    EXPECT_FALSE(comes_out("<p class='a x7'>A heron that nobody sees.</p>", sheet)) << style;
    EXPECT_FALSE(
        comes_out("<p id=z>A heron that nobody sees.</p>", "<style>#z{" + std::string(style) + "}</style>"))
        << style;
  }
}

TEST(HiddenElements, AttributesAndClassesThatHide) {
  EXPECT_FALSE(comes_out("<p hidden>A heron that nobody sees.</p>"));
  EXPECT_FALSE(comes_out("<div class='sr-only'>A heron that is only read aloud.</div>"));
  EXPECT_FALSE(comes_out("<p>Open the page <span class='visually-hidden'>of the heron</span> now.</p>"));
  EXPECT_FALSE(comes_out("<dialog><p>A heron in a dialog.</p></dialog>"));
  EXPECT_FALSE(comes_out("<template><p>A heron in a template.</p></template>"));
}

TEST(HiddenElements, WhatAVisitorSeesOrCanOpenStays) {
  for (const std::string_view style :
       {"display:block", "opacity:0.5", "font-size:0.9em", "font-size:12px", "left:-5px;position:relative",
        "height:0", "overflow:hidden", "color:#333;background:#fff", "color:#fff;background:#000",
        "text-indent:2em", "transform:scale(1)",
        "color:transparent;background-clip:text;background:linear-gradient(red,blue)"})
    EXPECT_TRUE(comes_out("<p style=\"" + std::string(style) + "\">A heron that everybody sees.</p>"))
        << style;
  EXPECT_TRUE(comes_out("<div role=tabpanel style='display:none'><p>A heron in a tab.</p></div>"));
  EXPECT_TRUE(
      comes_out("<div class='accordion-panel' style='display:none'><p>A heron behind a question.</p></div>"));
  EXPECT_TRUE(
      comes_out("<button aria-controls=more>More</button><div id=more hidden><p>A heron that a click "
                "shows.</p></div>"));
  EXPECT_TRUE(comes_out("<p hidden=until-found>A heron that a search finds.</p>"));
  EXPECT_TRUE(comes_out("<p aria-hidden=true>A heron that only ears do not notice.</p>"));
}

TEST(HiddenElements, TheLastRuleOfAStyleSheetApplies) {
  const std::string_view text = "<p class=x>A heron.</p>";
  EXPECT_TRUE(comes_out(text, "<style>.x{display:none} .x{display:block}</style>"));
  EXPECT_FALSE(comes_out(text, "<style>.x{display:block} /* } */ .x{display:none}</style>"));
  EXPECT_TRUE(comes_out(text, "<style>@media print{.x{display:none}}</style>"));
  EXPECT_TRUE(comes_out(text, "<style media=print>.x{display:none}</style>"));
  EXPECT_TRUE(
      comes_out(text, "<style>.no-js .x{display:none} .x:hover{display:none} a > .x{opacity:0}</style>"));
}

TEST(HiddenElements, APageThatAScriptShowsIsNotHidden) {
  EXPECT_TRUE(shown_text("").find("Five bridges") != std::string::npos);
  const std::string html = "<html><body style='opacity:1'><div id=app style='opacity:0'>" +
                           std::string(kText) + "</div></body></html>";
  html::Document document;
  html::parse(html, {}, document);
  EXPECT_TRUE(find_hidden(document).empty());
}

TEST(HiddenElements, BrokenStyleSheetsAreRead) {
  for (const std::string_view sheet : {"", "{", "}", "{}{}", ".x", ".x{", ".x{display:none", "@", "@media{",
                                       "/*", ".x{display}", ".x{:}", ",,.x,{a:b}"}) {
    const std::string html = "<style>" + std::string(sheet) + "</style><p class=x>" + std::string(kText);
    html::Document document;
    html::parse(html, {}, document);
    (void)find_hidden(document);
  }
}

}  // namespace
}  // namespace sheaf::extract
