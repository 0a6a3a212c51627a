#include "sheaf/html/selector.h"

#include "sheaf/html/dom.h"
#include "sheaf/html/parser.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::html {
namespace {

constexpr std::string_view kPage = R"(<!doctype html>
<body id=top class="page wide">
<nav id=n1 class=menu><ul><li id=l1><a id=a1 href="/one" rel="next prev">1</a><li id=l2><a id=a2 href="/two.html" hreflang=en-GB>2</a></ul></nav>
<main id=m1 data-Kind="News"><article id=t1 class="post first"><h1 id=h1>T</h1><p id=p1>a <b id=b1>b</b></p></article>
<article id=t2 class=post><div id=d1><p id=p2 class="">c</p><own-tag id=o1>d</own-tag></div></article></main>
<svg id=s1 viewBox="0 0 1 1"><linearGradient id=g1 /></svg>
<template><p id=p3></p></template>)";

// The ids of matching elements, in document order.
std::string ids(std::string_view selector, std::string_view page = kPage) {
  Document document;
  parse(page, {}, document);
  const auto compiled = Selector::compile(selector);
  if (!compiled) return compiled.error().message;
  std::string found;
  for (const NodeId node : compiled->all(document, kDocumentNode)) {
    if (!found.empty()) found += ' ';
    found += document.attribute(node, Name::id).value_or("?");
  }
  return found;
}

TEST(SpecSelectors, TypeAndUniversal) {
  EXPECT_EQ(ids("p"), "p1 p2");
  EXPECT_EQ(ids("P"), "p1 p2");
  EXPECT_EQ(ids("own-tag"), "o1");
  EXPECT_EQ(ids("nothing"), "");
  EXPECT_EQ(ids("article *"), "h1 p1 b1 d1 p2 o1");
  EXPECT_EQ(ids("linearGradient"), "g1");
  EXPECT_EQ(ids("lineargradient"), "");
}

TEST(SpecSelectors, IdAndClass) {
  EXPECT_EQ(ids("#p1"), "p1");
  EXPECT_EQ(ids(".post"), "t1 t2");
  EXPECT_EQ(ids(".post.first"), "t1");
  EXPECT_EQ(ids("article#t2.post"), "t2");
  EXPECT_EQ(ids(".Post"), "");
  EXPECT_EQ(ids(".Post", "<p id=q class=post>"), "q") << "quirks mode";
  EXPECT_EQ(ids("#A", "<p id=a>"), "a") << "quirks mode";
}

TEST(SpecSelectors, Attributes) {
  EXPECT_EQ(ids("[href]"), "a1 a2");
  EXPECT_EQ(ids("[HREF]"), "a1 a2");
  EXPECT_EQ(ids("[href=\"/one\"]"), "a1");
  EXPECT_EQ(ids("[rel~=prev]"), "a1");
  EXPECT_EQ(ids("[rel~='next prev']"), "");
  EXPECT_EQ(ids("[rel~='']"), "");
  EXPECT_EQ(ids("[hreflang|=en]"), "a2");
  EXPECT_EQ(ids("[hreflang|=e]"), "");
  EXPECT_EQ(ids("[href^='/t']"), "a2");
  EXPECT_EQ(ids("[href$='.html']"), "a2");
  EXPECT_EQ(ids("[href*=w]"), "a2");
  EXPECT_EQ(ids("[href*='']"), "");
  EXPECT_EQ(ids("[class='']"), "p2");
  EXPECT_EQ(ids("[data-kind=news]"), "");
  EXPECT_EQ(ids("[data-kind=news i]"), "m1");
  EXPECT_EQ(ids("[ data-kind = \"News\" s ]"), "m1");
  EXPECT_EQ(ids("[viewBox]"), "s1");
}

TEST(SpecSelectors, Combinators) {
  EXPECT_EQ(ids("main p"), "p1 p2");
  EXPECT_EQ(ids("article > p"), "p1");
  EXPECT_EQ(ids("article>div>p"), "p2");
  EXPECT_EQ(ids("body main article p"), "p1 p2");
  EXPECT_EQ(ids("nav > ul li > a"), "a1 a2");
  EXPECT_EQ(ids("p, h1 , #l1"), "l1 h1 p1 p2");
  // The nearest div does not match, a higher one does.
  EXPECT_EQ(ids("section > div p", "<section id=s><div id=x><div id=y><p id=z>"), "z");
  EXPECT_EQ(ids("section > div > b i", "<section><div><b id=b><div><b><i id=z>"), "z");
}

TEST(SpecSelectors, Not) {
  EXPECT_EQ(ids("article:not(.first)"), "t2");
  EXPECT_EQ(ids("p:not([class])"), "p1");
  EXPECT_EQ(ids("li:not(#l1):not(#l3)"), "l2");
  EXPECT_EQ(ids("article > :not(p)"), "h1 d1");
  EXPECT_EQ(ids("p:NOT( .x )"), "p1 p2");
}

TEST(SpecSelectors, Escapes) {
  EXPECT_EQ(ids("#a\\:b", "<p id=a:b>"), "a:b");
  EXPECT_EQ(ids("#\\31 x", "<p id=1x>"), "1x");
  EXPECT_EQ(ids(".\\e9", "<p id=q class=\xC3\xA9>"), "q");
  EXPECT_EQ(ids("[id='a\\'b']", "<p id=\"a'b\">"), "a'b");
}

TEST(SheafOnlySelectors, TemplatesArePassedOver) { EXPECT_EQ(ids("#p3"), ""); }

TEST(SheafOnlySelectors, ErrorsSayWhatWasFoundWhere) {
  EXPECT_EQ(ids("a + b"),
            "selector \"a + b\": found '+' at character 3, expected an element name, '*', '#', '.', '[' or "
            "':not('");
  EXPECT_EQ(
      ids(""),
      "selector \"\": found the end at character 1, expected an element name, '*', '#', '.', '[' or ':not('");
  EXPECT_EQ(ids("a,"),
            "selector \"a,\": found the end at character 3, expected an element name, '*', '#', '.', '[' or "
            "':not('");
  EXPECT_EQ(ids("p:first-child"),
            "selector \"p:first-child\": found ':' at character 2, expected ':not(', the only pseudo-class "
            "supported");
  EXPECT_EQ(ids("p.#x"), "selector \"p.#x\": found '#' at character 3, expected a class");
  EXPECT_EQ(
      ids("[a"),
      "selector \"[a\": found the end at character 3, expected ']', '=', '~=', '|=', '^=', '$=' or '*='");
  EXPECT_EQ(ids("[a='b]"), "selector \"[a='b]\": found the end at character 7, expected the closing quote");
  EXPECT_EQ(ids(":not(a b)"),
            "selector \":not(a b)\": found 'b' at character 8, expected ')' (one compound selector inside "
            "':not()')");
  EXPECT_EQ(ids("a)"),
            "selector \"a)\": found ')' at character 2, expected a space, '>', ',' or the end (siblings "
            "and pseudo-elements are not supported)");
  EXPECT_FALSE(Selector::compile("a > ").has_value());
  EXPECT_FALSE(Selector::compile("> a").has_value());
  EXPECT_FALSE(Selector::compile(":not(:not(a))").has_value());
}

TEST(SheafOnlyQuery, Walks) {
  Document document;
  parse(kPage, {}, document);
  const NodeId main = find_by_id(document, kDocumentNode, "m1");
  ASSERT_NE(main, kNoNode);
  EXPECT_EQ(find_all(document, main, Name::p).size(), 2U);
  EXPECT_EQ(find_by_class(document, kDocumentNode, "post").size(), 2U);
  EXPECT_EQ(find_by_id(document, main, "n1"), kNoNode) << "outside of main";
  std::string path;
  for (const NodeId node : Ancestors(document, find_by_id(document, kDocumentNode, "b1")))
    if (document.is_element(node)) path.append(document.name_text(node)).append(" ");
  EXPECT_EQ(path, "p article main body html ");
  std::string text;
  append_text_content(document, find_by_id(document, kDocumentNode, "t1"), text);
  EXPECT_EQ(text, "Ta b");
  const NodeId article = find_by_id(document, kDocumentNode, "t1");
  EXPECT_EQ(document.attribute(next_after(document, document.next(article), main), Name::id), "t2");
}

}  // namespace
}  // namespace sheaf::html
