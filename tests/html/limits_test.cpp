// Hostile inputs. Time is never measured: the parser counts its steps, and they must be linear in the
// input.
#include "sheaf/html/dom.h"
#include "sheaf/html/parser.h"
#include "sheaf/html/serialize.h"
#include "support/repeat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::html {
namespace {

using test::repeat;

std::size_t depth_of(const Document& document) {
  std::size_t deepest = 0;
  std::vector<std::size_t> depth(document.size());
  for (const NodeId node : Descendants(document, kDocumentNode)) {
    depth[node] = depth[document.parent(node)] + 1;
    deepest = std::max(deepest, depth[node]);
  }
  return deepest;
}

// Compares the steps for `count` pieces and for twice as many: the work must be about twice as much, and at
// most `each` steps per piece.
void expect_linear(std::string_view before, std::string_view piece, std::string_view after, std::size_t count,
                   std::size_t each) {
  Document document;
  const auto steps = [&](std::size_t n) {
    const std::string input = std::string(before) + repeat(piece, n) + repeat(after, n);
    return parse(input, {}, document).steps;
  };
  const std::uint64_t once = steps(count);
  const std::uint64_t twice = steps(2 * count);
  EXPECT_LE(twice, 2 * once + once / 10 + 200'000) << before << piece << after;
  EXPECT_LE(twice, 2 * count * each + 1'000) << before << piece << after;
}

TEST(SheafOnlyLinear, MillionDivs) {
  Document document;
  const ParseResult result = parse(repeat("<div>", 1'000'000), {}, document);
  EXPECT_TRUE(result.limits.depth);
  EXPECT_LE(result.steps, 1'000'100U);
  EXPECT_EQ(document.size(), 1'000'000U + 5);  // html, head, body, the document and the unused node
  EXPECT_LE(depth_of(document), 513U);
}

TEST(SheafOnlyLinear, MillionDivsInAParagraphOutOfReach) {
  Document document;
  const ParseResult result = parse("<p><object>" + repeat("<div>", 100'000), {}, document);
  EXPECT_LE(result.steps, 100'000U * 520);
}

TEST(SheafOnlyLinear, MillionDivsClosedAgain) {
  Document document;
  parse("<main>" + repeat("<div>", 1'000'000) + repeat("</div>", 1'000'000) + "<i>x</i></main>", {},
        document);
  // Every end tag matched its start tag at any depth: the i is a child of main again.
  const NodeId italic = find_first(document, kDocumentNode, Name::i);
  EXPECT_TRUE(document.is_html(document.parent(italic), Name::main));
}

TEST(SheafOnlyLinear, MisnestedFormatting) {
  expect_linear("", "<b><i>", "", 250'000, 1100);
  expect_linear("", "<b><i></b></i>", "", 100'000, 40);
  expect_linear("", "<b><p>", "</b>", 50'000, 9'000);
  expect_linear("<b>", "<div>", "</b>", 50'000, 9'000);
  expect_linear("", "<a><div>", "", 50'000, 9'000);
  expect_linear("", "<nobr>x<p>", "</nobr>", 20'000, 9'000);
}

TEST(SheafOnlyLinear, MillionMisnestedPairs) {
  Document document;
  const ParseResult result = parse(repeat("<b><i>", 1'000'000) + repeat("</b></i>", 1'000'000), {}, document);
  EXPECT_LE(result.steps, 4'000'000U * 1100);
}

TEST(SheafOnlyLinear, FormattingThatDiffersEachTime) {
  std::string input;
  for (int i = 0; i < 3'000; ++i) input += "<font size=" + std::to_string(i) + ">";
  Document document;
  const ParseResult result = parse(input + repeat("<p>x", 1'000), {}, document);
  EXPECT_TRUE(result.limits.formatting);
  EXPECT_LE(document.size(), 3'000U + 1'000 * 260);
}

TEST(SheafOnlyLinear, TablesInTables) {
  expect_linear("", "<table>", "", 100'000, 20);
  expect_linear("", "<table><td>", "", 50'000, 3'000);
  expect_linear("", "<table><td>", "</table>", 25'000, 5'000);
  expect_linear("", "<table>x", "", 50'000, 3'000);
}

TEST(SheafOnlyLinear, OtherNestings) {
  expect_linear("", "<template>", "", 50'000, 3'000);
  expect_linear("", "<svg>", "", 50'000, 1'200);
  expect_linear("", "<svg><desc>", "</p>", 25'000, 3'000);
  expect_linear("", "<li><ul>", "</li>", 25'000, 3'000);
  expect_linear("", "<select><option>", "</select>", 50'000, 3'000);
  expect_linear("", "<object>", "</object>", 50'000, 1'200);
  expect_linear("<form>", "<div>", "</form>", 50'000, 1'200);
  expect_linear("<ruby>", "<rt><div>", "", 25'000, 3'000);
  expect_linear("<table><tr>", "<form><b>", "</b>", 25'000, 9'000);
}

TEST(SheafOnlyLinear, TextInPiecesOnBothSidesOfATable) {
  // White space goes into the table, the letter before it: two texts that grow in turn.
  const std::string input = "<table>" + repeat(" </x>y</x>", 100'000);
  Document document;
  parse(input, {}, document);
  EXPECT_LE(document.own_text().size(), 16 * input.size());
  std::string text;
  append_text_content(document, kDocumentNode, text);
  EXPECT_EQ(text.size(), 200'000U);
}

TEST(SheafOnlyLinear, LongAttribute) {
  const std::string value = repeat("0123456789", 1'000'000);
  Document document;
  const std::string input = "<p title=\"" + value + "\">x";
  const ParseResult result = parse(input, {}, document);
  const NodeId paragraph = find_first(document, kDocumentNode, Name::p);
  EXPECT_EQ(document.attribute(paragraph, Name::title), value);
  EXPECT_LE(result.steps, 100U);
  EXPECT_TRUE(document.own_text().empty());
}

TEST(SheafOnlyLinear, MillionAttributes) {
  std::string input = "<p";
  for (int i = 0; i < 1'000'000; ++i) input += " a" + std::to_string(i) + "=1";
  Document document;
  const ParseResult result = parse(input + ">x", {}, document);
  EXPECT_TRUE(result.limits.attributes);
  const NodeId paragraph = find_first(document, kDocumentNode, Name::p);
  EXPECT_EQ(document.attributes(paragraph).size(), ParseLimits{}.attributes);
  EXPECT_LE(result.steps, 100U);
}

TEST(SheafOnlyLinear, AttributesOfHtmlAgainAndAgain) {
  std::string input;
  for (int i = 0; i < 20'000; ++i) input += "<html a" + std::to_string(i) + ">";
  Document document;
  const ParseResult result = parse(input, {}, document);
  EXPECT_TRUE(result.limits.attributes);
  EXPECT_LE(result.steps, 20'000U * 2 * 1024);
  EXPECT_EQ(document.attributes(find_first(document, kDocumentNode, Name::html)).size(), 1024U);
}

TEST(SheafOnlyLimits, MoreNamesThanFit) {
  std::string input;
  for (int i = 0; i < 70'000; ++i) input += "<x" + std::to_string(i) + ">";
  Document document;
  const ParseResult result = parse(input + "<p>end", {}, document);
  EXPECT_TRUE(result.limits.names);
  EXPECT_NE(find_first(document, kDocumentNode, Name::p), kNoNode);
  parse("<x1>", {}, document);  // the next page has all its names again
  EXPECT_EQ(dump_tree(document), "| <html>\n|   <head>\n|   <body>\n|     <x1>\n");
}

TEST(SheafOnlyLimits, NodesEndThePage) {
  ParseOptions options;
  options.limits.nodes = 100;
  Document document;
  const ParseResult result = parse(repeat("<p>x", 1'000), options, document);
  EXPECT_TRUE(result.limits.nodes);
  EXPECT_LE(document.size(), 110U);
  parse("", options, document);
  EXPECT_EQ(dump_tree(document), "| <html>\n|   <head>\n|   <body>\n");
}

TEST(SheafOnlyLimits, LongInputIsCutBetweenCharacters) {
  ParseOptions options;
  options.limits.input_bytes = 4;
  Document document;
  const std::string input = "abc\xC3\xA9";
  const ParseResult result = parse(input, options, document);
  EXPECT_TRUE(result.limits.input_bytes);
  EXPECT_EQ(document.input(), "abc");
}

TEST(SheafOnlyLimits, DepthKeepsTheOrder) {
  ParseOptions options;
  options.limits.depth = 5;
  Document document;
  const std::string input = "<div>1<div>2<div>3<div>4</div>5</div>6</div>7</div>8";
  const ParseResult result = parse(input, options, document);
  EXPECT_TRUE(result.limits.depth);
  EXPECT_LE(depth_of(document), 6U);
  std::string text;
  append_text_content(document, kDocumentNode, text);
  EXPECT_EQ(text.size(), 8U);
  EXPECT_TRUE(document.is_html(
      document.parent(document.last_child(document.last_child(document.first_child(kDocumentNode)))),
      Name::body));
}

TEST(SheafOnlyLimits, NoneOnOrdinaryPages) {
  Document document;
  EXPECT_EQ(parse("<!doctype html><p>a<b>b", {}, document).limits, LimitsHit{});
}

TEST(SpecInput, NullsAndLoneSurrogates) {
  Document document;
  const std::string nulls = "<p>a" + std::string(1'000'000, '\0') + "b";
  const ParseResult result = parse(nulls, {}, document);
  EXPECT_EQ(document.text(document.first_child(find_first(document, kDocumentNode, Name::p))), "ab");
  EXPECT_LE(result.steps, 1'000'100U);
  const std::string references = "<p>" + repeat("&#xD800;", 100'000);
  parse(references, {}, document);
  const NodeId paragraph = find_first(document, kDocumentNode, Name::p);
  EXPECT_EQ(document.text(document.first_child(paragraph)), repeat("\xEF\xBF\xBD", 100'000));
}

}  // namespace
}  // namespace sheaf::html
