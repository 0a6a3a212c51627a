#include "sheaf/extract/outline/parse_page.h"

#include "sheaf/html/dom.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sheaf::extract {
namespace {

/// The text in p elements of a page.
std::string paragraphs(std::string_view html) {
  html::Document document;
  std::string closed;
  parse_page(html, {}, closed, document);
  std::string texts;
  for (const html::NodeId node : html::Descendants(document, document.root()))
    if (document.is_html(document.parent(node), html::Name::p)) texts.append(document.text(node)).append(" ");
  return texts;
}

TEST(SheafOnlyParsePage, ClosesWhatXmlClosed) {
  EXPECT_EQ(paragraphs("<body><p>a</p><iframe src='x>y'/><p>b</p><IFRAME /><p>c</p></body>"), "a b c ");
  EXPECT_EQ(paragraphs("<body><textarea rows=\"6\"/><p>b</p></body>"), "b ");
}

TEST(SheafOnlyParsePage, OtherPagesAreAsBrowsersReadThem) {
  EXPECT_EQ(paragraphs("<p>a</p><iframe src=x></iframe><p>b</p>"), "a b ");
  // It is open, whatever was meant, and so is one with an end further on.
  EXPECT_EQ(paragraphs("<p>a</p><iframe><p>b</p>"), "a ");
  EXPECT_EQ(paragraphs("<p>a</p><iframe/><p>b</p></iframe><p>c</p>"), "a c ");
}

}  // namespace
}  // namespace sheaf::extract
