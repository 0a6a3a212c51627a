// Small but realistic pages of the common kinds.
#include "extract/selected_page.h"
#include "sheaf/extract/content/content_select.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sheaf::extract {
namespace {

using test::Selected;

std::string shop_page(std::string_view title, std::string_view body) {
  return "<!doctype html><html lang=en><head><title>" + std::string(title) +
         R"( | Kiln and Clay</title></head><body>
<header><a href=/ class=logo>Kiln and Clay</a><nav class=main-menu><ul><li><a href=/new>New arrivals</a></li><li><a href=/mugs>Mugs</a></li>
<li><a href=/bowls>Bowls</a></li><li><a href=/cart>Your basket</a></li></ul></nav></header>)" +
         std::string(body) + R"(
<footer class=site-footer><ul><li><a href=/returns>Returns</a></li><li><a href=/imprint>Imprint</a></li></ul>
<form class=newsletter-signup><p>Sign up for our newsletter and get ten percent off your first order.</p><input name=mail><button>Sign up</button></form>
<p>Copyright 2025 Kiln and Clay. All rights reserved.</p></footer></body></html>)";
}

TEST(SheafOnlyContentKinds, AServicePageHasAllOfItsSections) {
  const Selected page(shop_page("Pottery courses for companies", R"(
<main><section class=hero><h1>Pottery courses for companies</h1><p>A day at the wheel brings people together who otherwise only meet in front of a screen.</p><a class=button href=/book>Book now</a></section>
<section class=features><h2>What you get</h2>
<div class=feature><h3>A teacher for six people</h3><p>Nobody has to wait for help, and everybody leaves with two pieces of their own.</p></div>
<div class=feature><h3>All of the material</h3><p>Clay, tools, aprons and both firings are included in the price of the day.</p></div>
<div class=feature><h3>Lunch in the garden</h3><p>We cook for you, with vegetables from the neighbours and bread from our own oven.</p></div></section>
<section class=pricing><h2>What it costs</h2><p>The day costs 95 euros a person for groups of six to eighteen, and travel to your town is 120 euros more.</p></section>
<section class=faq><h2>Frequently asked questions</h2>
<details><summary>Do we need experience?</summary><p>No. Most of those who come have never touched clay before, and it does not show in the end.</p></details>
<details><summary>How long does the firing take?</summary><p>Two weeks. We send the finished pieces to your office, well packed in straw.</p></details></section></main>)"));
  page.expect_kept({"A day at the wheel", "What you get", "A teacher for six people", "Nobody has to wait",
                    "Clay, tools, aprons", "We cook for you", "The day costs 95 euros",
                    "Most of those who come", "Two weeks. We send"});
  page.expect_dropped({"New arrivals", "Your basket", "Sign up for our newsletter", "All rights reserved"});
}

TEST(SheafOnlyContentKinds, ACollectionHasItsProducts) {
  std::string products;
  for (const std::string_view name : {"Blue coffee mug", "Small tea bowl", "Tall beer mug", "Espresso cup",
                                      "Mug with two handles", "White milk jug"})
    products += "<li class=product-card><a href=/p><img src=/p.jpg><h3>" + std::string(name) +
                "</h3></a><p class=product-card__text>Thrown by hand from " + std::string(name) +
                " clay and glazed twice</p><span class=price>$24.00</span></li>";
  const Selected page(
      shop_page("Mugs and cups",
                "<main class=collection><h1>Mugs and cups</h1><p>Every mug is thrown by hand in our "
                "workshop, fired twice, and safe for the dishwasher.</p><ul class=product-grid>" +
                    products + "</ul></main>"));
  page.expect_kept(
      {"Every mug is thrown by hand", "Blue coffee mug", "Espresso cup", "White milk jug", "$24.00"});
  page.expect_dropped({"New arrivals", "Your basket", "Sign up for our newsletter", "All rights reserved"});
}

TEST(SheafOnlyContentKinds, WhatCustomersSayIsNotWhatTheProductIs) {
  SelectOptions product;
  product.declared.page.kinds = kDeclaredProduct;
  std::string reviews;
  for (const std::string_view text :
       {"I bought this for my sister and she loves it, it came well packed and two days early.",
        "Nice colour, but smaller than I thought from the pictures. I keep it anyway, for espresso.",
        "The glaze had a crack when it came. They sent me another one within a week, without any questions."})
    reviews +=
        "<div class=review itemprop=review itemscope itemtype=https://schema.org/Review><div "
        "class=review-author>Anna K.</div><div class=stars>5 stars</div><p class=review-text>" +
        std::string(text) + "</p><a href=#h>Was this helpful?</a></div>";
  const Selected page(shop_page("Blue coffee mug", R"(
<main><div itemscope itemtype=https://schema.org/Product class=product><h1>Blue coffee mug</h1><p class=price>$24.00</p><button>Add to basket</button>
<div class=product-description><p>A mug of heavy stoneware in the blue of the sea before a storm. It holds three deciliters, keeps coffee warm, and fits a large hand as well as a small one.</p>
<p>Each is thrown by hand in our workshop in the hills, dried for a week, fired twice and glazed inside and out.</p></div>
<h2>Specifications</h2><table class=specs><tr><th>Volume</th><td>0.3 liters</td></tr><tr><th>Height</th><td>9 centimeters</td></tr></table></div>
<section id=reviews class=reviews><h2>Customer reviews</h2>)" +
                                                       reviews + "</section></main>"),
                      product);
  page.expect_kept({"A mug of heavy stoneware", "Each is thrown by hand", "0.3 liters", "9 centimeters"});
  page.expect_dropped(
      {"I bought this for my sister", "Nice colour, but smaller", "Your basket", "newsletter"});
}

TEST(SheafOnlyContentKinds, TabPanelsAreContent) {
  const Selected page(shop_page("How we glaze", R"(
<main><article><h1>How we glaze</h1><p>Glazing decides what a pot looks like, and each way of doing it has its own rules. Here is how we go about the two that we use most.</p>
<div role=tablist class=tabs><a role=tab href=#dip>Dipping</a> <a role=tab href=#brush>Brushing</a></div>
<div role=tabpanel id=dip class="tab-pane active"><p>For dipping the glaze must be as thin as cream. Hold the pot with tongs, dip it for three seconds, and turn it while it drips.</p></div>
<div role=tabpanel id=brush class=tab-pane hidden><p>For brushing the glaze is thicker, and three coats are needed. Let each of them dry for an hour before the next.</p></div>
<p>Whatever you do, wipe the foot of the pot with a wet sponge, or it will stick to the shelf of the kiln for good.</p></article></main>)"));
  page.expect_kept(
      {"Glazing decides what", "For dipping the glaze", "For brushing the glaze", "Whatever you do"});
  page.expect_dropped({"New arrivals", "Sign up for our newsletter"});
}

TEST(SheafOnlyContentKinds, ReadersOfAnArticleAreNotItsAuthor) {
  std::string comments;
  for (const std::string_view text : {"I have done it like that for years, and I can only say that it works. "
                                      "Thank you for writing it down so well!",
                                      "What do you do when the glaze runs off the rim? Mine always does, "
                                      "whatever I try, and I am about to give up.",
                                      "You should mention that the kiln must be quite cold. I have burned my "
                                      "fingers more than once, believe me."})
    comments +=
        "<li class=comment><div class=comment-author>Peter says:</div><time>3 May 2024</time><div "
        "class=comment-content><p>" +
        std::string(text) + "</p></div><a class=comment-reply-link href=#r>Reply</a></li>";
  const Selected page(shop_page("Opening the kiln", R"(
<article class=post><h1>Opening the kiln</h1><div class=entry-content>
<p>There is no moment like it. You have waited two days for the kiln to cool, and now you lift the lid by a hand's breadth and look into the dark.</p>
<p>Sometimes everything is as it should be. More often one pot has cracked, another has stuck to its shelf, and a third is more beautiful than you had any right to hope.</p>
<p>I write down all of it: where each pot stood, what the cones say, how long it took. In ten years I have filled eleven notebooks with that, and I read them more than any other book.</p></div></article>
<section id=comments class=comments-area><h2>3 thoughts on Opening the kiln</h2><ol class=comment-list>)" +
                                                        comments + "</ol></section>"));
  page.expect_kept({"There is no moment like it", "Sometimes everything is", "I write down all of it"});
  page.expect_dropped({"I have done it like that", "What do you do when", "You should mention"});
}

TEST(SheafOnlyContentKinds, AConsentDialogIsNotContent) {
  const Selected page(shop_page("Opening hours", R"(
<main><h1>Opening hours</h1><p>The workshop is open from Tuesday to Saturday between ten and six. In August we are closed, since the clay dries too fast.</p>
<p>If you come from far away, please ring before you set out: on days when the kiln is opened nobody has time to talk.</p></main>
<div id=onetrust-consent-sdk class=otFlat role=dialog><div class=ot-pc-content><h2>Privacy preference center</h2>
<p>When you visit any website, it may store or retrieve information on your browser, mostly in the form of cookies. This information might be about you, your preferences or your device.</p>
<p>These cookies are necessary for the website to function and cannot be switched off in our systems. They are usually only set in response to actions made by you.</p></div></div>)"));
  page.expect_kept({"The workshop is open", "If you come from far away"});
  page.expect_dropped({"When you visit any website", "These cookies are necessary"});
}

}  // namespace
}  // namespace sheaf::extract
