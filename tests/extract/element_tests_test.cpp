#include "sheaf/extract/generators/element_tests.h"

#include "sheaf/html/dom.h"
#include "sheaf/html/parser.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sheaf::extract {
namespace {

constexpr std::uint16_t kNone = ElementTests::kNone;

/// The tests that the first element with that tag in `html` passes.
ElementTests::Passed passed(const ElementTests& tests, std::string_view html, html::Name tag) {
  const std::string page(html);
  html::Document document;
  html::parse(page, {}, document);
  ElementTests::Passed found{};
  tests.look_up(document, html::find_first(document, document.root(), tag), found);
  return found;
}

TEST(SheafOnlyElementTests, EveryKindOfTest) {
  const ElementTests tests({"p .note #top @main %articleBody script/search.js div.body"});
  const auto place = [&](std::string_view html, html::Name tag) { return passed(tests, html, tag)[0]; };
  EXPECT_EQ(place("<p>", html::Name::p), 0);
  EXPECT_EQ(place("<div class='a note\nb'>", html::Name::div), 1);
  EXPECT_EQ(place("<div id=top>", html::Name::div), 2);
  EXPECT_EQ(place("<div role=main>", html::Name::div), 3);
  EXPECT_EQ(place("<div itemprop=articleBody>", html::Name::div), 4);
  EXPECT_EQ(place("<script src='/js/search.js?v=3'></script>", html::Name::script), 5);
  EXPECT_EQ(place("<div class=body>", html::Name::div), 6);
  EXPECT_EQ(place("<span class=body>", html::Name::span), kNone);  // of another tag
  EXPECT_EQ(place("<div class='notes top'>", html::Name::div),
            kNone);  // other words, and a class is not an id
  EXPECT_EQ(place("<a href=search.js>", html::Name::a), kNone);
  EXPECT_EQ(place("<div class=''>", html::Name::div), kNone);
}

TEST(SheafOnlyElementTests, TheFirstOfEachListCounts) {
  const ElementTests tests({".b .a", ".c", ".a p"});
  EXPECT_EQ(passed(tests, "<p class='a b'>", html::Name::p),
            (ElementTests::Passed{0, kNone, 0, kNone, kNone}));
  EXPECT_EQ(passed(tests, "<p class='c'>", html::Name::p), (ElementTests::Passed{kNone, 0, 1, kNone, kNone}));
}

TEST(SheafOnlyElementTests, AnUnknownTagKeepsItsPlaceInTheList) {
  const ElementTests tests({"my-toolbar .x"});
  EXPECT_EQ(passed(tests, "<p class=x>", html::Name::p)[0], 1);
}

}  // namespace
}  // namespace sheaf::extract
