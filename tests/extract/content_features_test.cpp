#include "sheaf/extract/content/content_features.h"

#include "sheaf/extract/outline/page_outline.h"
#include "sheaf/html/parser.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace sheaf::extract {
namespace {

class FeaturePage {
 public:
  explicit FeaturePage(std::string html, const DeclaredPage& declared = {}) : html_(std::move(html)) {
    html::parse(html_, {}, document_);
    outline_.build(document_);
    maker_.begin(outline_, text_, declared);
  }

  float operator()(std::uint32_t run, Feature feature) { return at(run, static_cast<std::size_t>(feature)); }
  float at(std::uint32_t run, std::size_t feature) { return maker_.make(run)[feature]; }
  bool tail_says(std::uint32_t run, Hint hint) {
    for (std::size_t i = 0; i < std::size(kTailHints); ++i)
      if (kTailHints[i] == hint) return at(run, kFirstTailHint + i) > 0;
    return false;
  }

 private:
  std::string html_;
  html::Document document_;
  PageOutline outline_;
  DeclaredText text_;
  FeatureExtractor maker_;
};

TEST(SheafOnlyContentFeatures, LastWordsOfALongText) {
  const std::string words =
      "A long text of many words that goes on and on about whales and the deep sea they live in, ";
  FeaturePage page("<p>" + words + words + "seen from a ship. Foto: Getty<p>" + words + words +
                   "and nothing else.<p>" + words + "\u00A9 AFP");
  EXPECT_TRUE(page.tail_says(0, kHintCaption));
  EXPECT_FALSE(page.tail_says(1, kHintCaption));
  EXPECT_EQ(page.at(1, kAfterCredit), -1);
  EXPECT_EQ(page.at(2, kAfterCredit), 6);
}

TEST(SheafOnlyContentFeatures, WordsOfTheSitesName) {
  FeaturePage page("<p>Get the Whale Times app<p>Whales are large<p>Ask gazette.co.uk",
                   {.host = "www.gazette.co.uk", .site_name = "The Whale Times"});
  EXPECT_EQ(page.at(0, kSiteWords), 3);  // "the", too
  EXPECT_EQ(page.at(1, kSiteWords), 0);
  EXPECT_EQ(page.at(2, kSiteWords), 1);
  for (const std::string_view host : {"gazette.com", "www.gazette.de", "news.gazette.com", "gazette"}) {
    FeaturePage other("<p>Ask the gazette", {.host = host});
    EXPECT_EQ(other.at(0, kSiteWords), 1) << host;
  }
  FeaturePage nameless("<p>Ask the gazette");
  EXPECT_EQ(nameless.at(0, kSiteWords), 0);
}

TEST(SheafOnlyContentFeatures, TheDescriptionIsOftenTheLead) {
  FeaturePage page("<p>Whales sing in the deep sea<p>Something else is said here",
                   {.description = "Whales sing in the deep sea, say experts"});
  EXPECT_EQ(page.at(0, kDescriptionShare), 1);
  EXPECT_EQ(page.at(1, kDescriptionShare), 0);
  FeaturePage without("<p>Whales sing in the deep sea");
  EXPECT_EQ(without.at(0, kDescriptionShare), 0.5F);
}

TEST(SheafOnlyContentFeatures, ImagesBesideAText) {
  FeaturePage page("<p>One</p><div><img src=a></div><div>Two</div><p>Three</p>");
  EXPECT_EQ(page(0, Feature::images_above), 0);
  EXPECT_EQ(page(0, Feature::images_below), 1);
  EXPECT_EQ(page(1, Feature::images_above), 1);
  EXPECT_EQ(page(2, Feature::images_above), 0);
}

TEST(SheafOnlyContentFeatures, WhereTheLargestGroupStands) {
  const std::string prose =
      "<p>We sell mugs, cups and plates of many colours, which are all made by hand in our own workshop.</p>";
  std::string records;
  for (int i = 0; i < 4; ++i) records += "<div class=card><h3>A mug</h3><p>$5</p></div>";
  FeaturePage page("<h1>Mugs</h1>" + prose + "<div>" + records + "</div>" + prose + prose);
  EXPECT_EQ(page(0, Feature::in_group), 0);
  EXPECT_EQ(page(2, Feature::in_group), 1);
  EXPECT_EQ(page(0, Feature::group_runs), 2);
  EXPECT_EQ(page(0, Feature::title_to_group), 2);
  const float above = page(0, Feature::prose_above_group);
  EXPECT_GT(above, 0);
  EXPECT_EQ(page(0, Feature::prose_below_group), 2 * above);
  EXPECT_EQ(page(0, Feature::prose_beside_group), 3 * above);
}

}  // namespace
}  // namespace sheaf::extract
