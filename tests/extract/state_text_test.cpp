// Pages of tests/data/state, whose text is only in the data of their scripts, each as its framework writes
// it. All have the same article, some without its list or headings.
#include "sheaf/extract/extract.h"
#include "sheaf/extract/state/state_html.h"
#include "sheaf/extract/state/state_tree.h"
#include "support/repeat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sheaf::extract {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kParagraphs[] = {
    "The tide mill of Ferrow stood still for sixty years, and hardly anybody in the village believed that it "
    "would ever grind again.",
    "In the spring of 2019 a group of carpenters, two engineers and a retired baker began to take the wheel "
    "apart, piece by piece.",
    "They found that the oak of the paddles was sound, while the iron bands had rusted to the thickness of "
    "paper.",
    "Today the mill grinds four hours on each tide, and the flour is sold at the market on Saturdays."};
constexpr std::string_view kHeading = "What they found inside";
constexpr std::string_view kItem = "Three coins with the head of a young queen";

std::vector<std::string> texts(std::string_view html, Extractor& extractor) {
  ExtractOptions options;
  options.url = "https://e.org/p";
  std::vector<std::string> found;
  for (const Block& block : extractor.extract(html, options).page.content) {
    if (const auto* text = std::get_if<TextBlock>(&block.kind)) found.emplace_back(text->text);
    if (const auto* heading = std::get_if<HeadingBlock>(&block.kind)) found.emplace_back(heading->text);
    if (const auto* quote = std::get_if<QuoteBlock>(&block.kind)) found.emplace_back(quote->text);
    if (const auto* list = std::get_if<ListBlock>(&block.kind))
      for (const Text item : list->items) found.emplace_back(item);
  }
  return found;
}

bool has(const std::vector<std::string>& texts, std::string_view text) {
  return std::ranges::find(texts, text) != texts.end();
}

TEST(SheafOnlyStateText, IsFoundInEveryKindOfData) {
  Extractor extractor;
  std::size_t pages = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(SHEAF_SOURCE_DIR) / "tests" / "data" / "state")) {
    SCOPED_TRACE(entry.path().filename().string());
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string html{std::istreambuf_iterator<char>(file), {}};
    const std::vector<std::string> found = texts(html, extractor);
    for (const std::string_view paragraph : kParagraphs) EXPECT_TRUE(has(found, paragraph)) << paragraph;
    if (html.find(kItem) != std::string::npos) {
      EXPECT_TRUE(has(found, kHeading));
      EXPECT_TRUE(has(found, kItem));
    }
    EXPECT_LE(found.size(), 12U) << "something beside the article";
    ++pages;
  }
  EXPECT_GE(pages, 50U);
}

TEST(SheafOnlyStateText, IsNotUsedOnPagesThatShowTheirText) {
  const std::string shown = "<p>" + test::repeat("What the page shows is long enough to be all of it. ", 40);
  const std::string state = R"(<script type="application/json">{"title":"A title","body":"<p>)" +
                            test::repeat("Another text, which is in the data only. ", 100) + "\"}</script>";
  Extractor extractor;
  const auto found =
      texts("<title>A title</title><main><h1>A title</h1>" + shown + "</p></main>" + state, extractor);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[1].starts_with("What the page shows"));
}

TEST(SheafOnlyStateText, DoesNotReplaceAnotherTextThatIsShown) {
  const std::string shown = test::repeat("The page shows this short text, with a comma. ", 8);
  const std::string state = R"(<script type="application/json">{"title":"A title","body":"<p>)" +
                            test::repeat("Another text, which is in the data only. ", 100) + "\"}</script>";
  Extractor extractor;
  const auto found = texts("<title>A title</title><main><p>" + shown + "</p></main>" + state, extractor);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].starts_with("The page shows"));
}

TEST(SheafOnlyStateText, SettingsAndMessagesAreNoText) {
  std::string state = "<script>window.config = {";
  for (int i = 0; i < 60; ++i)
    state += "m" + std::to_string(i) + ": \"Please enter a value, then press the button\", ";
  Extractor extractor;
  EXPECT_TRUE(texts("<title>Shop</title><div id=app></div>" + state + "}</script>", extractor).empty());
}

std::string html_of(std::string_view source) {
  StateTree tree;
  tree.clear();
  tree.read(source);
  tree.connect();
  std::string html;
  write_state_html(tree, 1, html);
  return html;
}

TEST(SheafOnlyStateTree, ReadsStringsOfJsonAndJavaScript) {
  EXPECT_EQ(html_of(R"(["one \u00e9\n two"])"), "<p>one \u00e9</p>\n<p> two</p>\n");
  EXPECT_EQ(html_of(R"(['\x41 \u{1F600} \ud83d\ude00'])"), "<p>A \U0001F600 \U0001F600</p>\n");
  EXPECT_EQ(html_of(R"(["\ud83d and more"])"), "<p>\uFFFD and more</p>\n");
  EXPECT_EQ(html_of("f(`a b`, /x\"y/g, 'c d')"), "<p>a b</p>\n<p>c d</p>\n");
  EXPECT_EQ(html_of("// a \"comment\n/* 'more */ ['a text']"), "<p>a text</p>\n");
}

TEST(SheafOnlyStateTree, BindsTheArgumentsOfAFunction) {
  EXPECT_EQ(html_of(R"((function(a,b){return [a,"b c",b]}("one two","d e")))"),
            "<p>one two</p>\n<p>b c</p>\n<p>d e</p>\n");
  EXPECT_EQ(html_of(R"(((a)=>({x:[a]}))("one two"))"), "<p>one two</p>\n");
}

TEST(SheafOnlyStateTree, CirclesEnd) {
  EXPECT_EQ(html_of(R"([[1,2,3],[0,1,3],{"a":1,"b":3},"a text"])"),
            "<p>a text</p>\n<p>a text</p>\n<p>a text</p>\n");
  EXPECT_EQ(html_of(R"({"A:1":{"x":{"__ref":"A:1"},"html":"<p>a</p>"}})"), "<p>a</p>");
}

TEST(SheafOnlyStateTree, TextIsEscapedAndTagsAreKept) {
  EXPECT_EQ(html_of(R"(["a < b & c", "d &amp; e"])"), "<p>a &lt; b &amp; c</p>\n<p>d &amp; e</p>\n");
  EXPECT_EQ(html_of(R"(["<p>a</p>"])"), "<p>a</p>");
}

}  // namespace
}  // namespace sheaf::extract
