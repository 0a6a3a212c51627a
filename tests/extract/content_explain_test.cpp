#include "sheaf/extract/extract.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::extract {
namespace {

constexpr std::string_view kPage = R"(<!DOCTYPE html><html lang=en><title>The mill by the river</title>
<nav class="main-menu"><ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/about>About</a></ul></nav>
<article class="post"><h1>The mill by the river</h1>
<p>The mill was built in 1887, when the river still drove three wheels, and it has been standing empty since the war.</p>
<p>Now the town wants to open it again, as a museum, with a bakery in the yard and rooms for guests under the roof.</p>
<p>Work begins in spring, the mayor said, if the money that was promised arrives before the first of March.</p>
</article>
<div class="related teaser"><h3>Related</h3><ul><li><a href=/a>Another story</a><li><a href=/b>One more story</a></ul></div>
<footer class="site-footer"><p>Copyright 2024 <a href=/imprint>Imprint</a></p></footer></html>)";

TEST(ContentExplain, ExplainsWhatWasTakenAndWhy) {
  Extractor extractor;
  const Extraction& extraction = extractor.extract(kPage, {.url = "https://e.org/mill"});
  ASSERT_FALSE(extraction.page.content.empty());
  const std::string text = extractor.explain();
  EXPECT_NE(text.find("texts are content; treated as an article or similar\n"), std::string::npos) << text;
  EXPECT_NE(text.find("+ article.post: 4 texts"), std::string::npos) << text;
  EXPECT_NE(text.find("0 % in links"), std::string::npos) << text;
  EXPECT_NE(text.find("; hints: content"), std::string::npos) << text;
}

TEST(ContentExplain, IsEmptyWhereEverythingIsContent) {
  Extractor extractor;
  extractor.extract(kPage, {.url = "https://e.org/mill"});
  extractor.extract_markdown("# T\n\nText.\n", {.url = "https://e.org/t"});
  EXPECT_EQ(extractor.explain(), "");
}

TEST(ContentExplain, HoldsForAnEmptyPage) {
  Extractor extractor;
  extractor.extract("", {});
  EXPECT_EQ(extractor.explain(), "0 of 0 texts are content; treated as an article or similar\n");
}

}  // namespace
}  // namespace sheaf::extract
