#include "sheaf/html/dom.h"

#include "sheaf/html/parser.h"
#include "sheaf/html/serialize.h"
#include "sheaf/text/scan.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sheaf::html {
namespace {

bool lies_in(std::string_view part, std::string_view whole) {
  return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

TEST(SheafOnlyDom, UnchangedTextIsAViewOfTheInput) {
  const std::string input = "<p title='a b' id=x>one <i>two</i>\n three < four & five</p><!-- note -->";
  Document document;
  parse(input, {}, document);
  std::size_t texts = 0;
  for (const NodeId node : Descendants(document, kDocumentNode)) {
    if (document.kind(node) == NodeKind::text || document.kind(node) == NodeKind::comment) {
      ++texts;
      EXPECT_TRUE(lies_in(document.text(node), input)) << document.text(node);
    }
    for (const Attribute& attribute : document.attributes(node))
      EXPECT_TRUE(lies_in(document.value(attribute), input)) << document.value(attribute);
  }
  EXPECT_EQ(texts, 4U);
  EXPECT_TRUE(document.own_text().empty());
}

TEST(SheafOnlyDom, ChangedTextIsTheDocuments) {
  const std::string input = "<p title='a&amp;b'>x &lt; y\r\nz</p>";
  Document document;
  parse(input, {}, document);
  const NodeId paragraph = find_first(document, kDocumentNode, Name::p);
  EXPECT_EQ(document.text(document.first_child(paragraph)), "x < y\nz");
  EXPECT_EQ(document.attribute(paragraph, "title"), "a&b");
  EXPECT_TRUE(lies_in(document.text(document.first_child(paragraph)), document.own_text()));
}

TEST(SheafOnlyDom, CrLfBetweenTagsCopiesNothing) {
  const std::string input = "<ul>\r\n<li>a</li>\r\n<li>b</li>\r\n</ul>";
  Document document;
  parse(input, {}, document);
  EXPECT_TRUE(document.own_text().empty());
}

TEST(SheafOnlyDom, SourceOffsets) {
  const std::string input = "<!doctype html><p>one<b>two</b><!--c-->";
  Document document;
  parse(input, {}, document);
  const NodeId paragraph = find_first(document, kDocumentNode, Name::p);
  EXPECT_EQ(document.source_offset(paragraph), input.find("<p>"));
  EXPECT_EQ(document.source_offset(document.first_child(paragraph)), input.find("one"));
  EXPECT_EQ(document.source_offset(document.last_child(paragraph)), input.find("<!--"));
}

TEST(SheafOnlyDom, LinksBothWays) {
  Document document;
  parse("<p>a<b>c</b>d</p>", {}, document);
  const NodeId paragraph = find_first(document, kDocumentNode, Name::p);
  const NodeId first = document.first_child(paragraph);
  const NodeId bold = document.next(first);
  const NodeId last = document.last_child(paragraph);
  EXPECT_EQ(document.previous(first), kNoNode);
  EXPECT_EQ(document.previous(bold), first);
  EXPECT_EQ(document.previous(last), bold);
  EXPECT_EQ(document.next(last), kNoNode);
  EXPECT_EQ(document.last_child(first), kNoNode);
  EXPECT_EQ(document.parent(bold), paragraph);
}

TEST(SheafOnlyDom, UsedAgainKeepsItsMemoryAndNothingElse) {
  Document document;
  const std::string large = [] {
    std::string text;
    for (int i = 0; i < 1'000; ++i)
      text += "<p class=x" + std::to_string(i) + ">a&amp;b</p><own-tag-" + std::to_string(i) + ">";
    return text;
  }();
  parse(large, {}, document);
  const std::string before = dump_tree(document);
  const std::size_t held = document.capacity();
  parse("<p>x", {}, document);
  EXPECT_EQ(dump_tree(document), "| <html>\n|   <head>\n|   <body>\n|     <p>\n|       \"x\"\n");
  EXPECT_EQ(document.names().size(), kKnownNames);
  parse(large, {}, document);
  EXPECT_EQ(dump_tree(document), before);
  EXPECT_EQ(document.capacity(), held);
}

TEST(SheafOnlyDom, Doctype) {
  Document document;
  const std::string input = "<!DOCTYPE HTML PUBLIC '' \"s\">";
  parse(input, {}, document);
  const Doctype doctype = document.doctype(document.first_child(kDocumentNode));
  EXPECT_EQ(doctype.name, "html");
  EXPECT_EQ(doctype.public_id, "");
  EXPECT_EQ(doctype.system_id, "s");
  EXPECT_EQ(document.quirks_mode(), QuirksMode::no_quirks);
  parse("<!DOCTYPE html>", {}, document);
  EXPECT_EQ(document.doctype(document.first_child(kDocumentNode)).public_id, std::nullopt);
  parse("<p>", {}, document);
  EXPECT_EQ(document.quirks_mode(), QuirksMode::quirks);
}

TEST(SpecSerialize, EscapesAndVoidElements) {
  Document document;
  const std::string input =
      "<!doctype html><p "
      "title='\"&<>\xC2\xA0'>a&lt;b\xC2\xA0<br><script>a<b</script><template><i>x</template>";
  parse(input, {}, document);
  EXPECT_EQ(serialize(document),
            "<!DOCTYPE html><html><head></head><body><p title=\"&quot;&amp;&lt;&gt;&nbsp;\">a&lt;b&nbsp;<br>"
            "<script>a<b</script><template><i>x</i></template></p></body></html>");
}

TEST(SpecSerialize, NoscriptDependsOnScripting) {
  Document document;
  const std::string input = "<body><noscript><p>a&lt;</noscript>";
  for (const Scripting scripting : {Scripting::off, Scripting::on}) {
    parse(input, {.scripting = scripting, .fragment = {}, .limits = {}}, document);
    EXPECT_EQ(serialize(document, scripting),
              scripting == Scripting::on
                  ? "<html><head></head><body><noscript><p>a&lt;</noscript></body></html>"
                  : "<html><head></head><body><noscript><p>a&lt;</p></noscript></body></html>");
  }
}

TEST(SpecFragment, RootIsNotPartOfTheResult) {
  Document document;
  parse("<td>a", {.scripting = Scripting::off, .fragment = FragmentContext{.name = "tr"}, .limits = {}},
        document);
  EXPECT_EQ(dump_tree(document), "| <td>\n|   \"a\"\n");
  EXPECT_EQ(serialize(document), "<td>a</td>");
}

// Every level of the vector code finds the same byte, at every distance from both ends.
TEST(SheafOnlyScan, LevelsAgree) {
  using namespace text::scan;
  std::string text(200, 'x');
  for (std::size_t hit = 0; hit <= text.size(); ++hit) {
    std::string copy = text;
    if (hit < copy.size()) copy[hit] = '<';
    for (std::size_t from = 0; from < 40 && from <= copy.size(); ++from) {
      const char* begin = copy.data() + from;
      const char* end = copy.data() + copy.size();
      const char* expected = hit < from ? end : copy.data() + hit;
      for (const Level level : {Level::portable, Level::sse2, best_level()})
        ASSERT_EQ(find_any(level, begin, end, '<', '&', '\r', '\0'), expected);
      ASSERT_EQ(find_text_end(begin, end), expected);
    }
  }
}

}  // namespace
}  // namespace sheaf::html
