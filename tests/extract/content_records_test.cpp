#include "sheaf/extract/content/content_records.h"

#include "sheaf/extract/content/content_context.h"
#include "sheaf/extract/outline/page_outline.h"
#include "sheaf/html/parser.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace sheaf::extract {
namespace {

class RecordPage {
 public:
  explicit RecordPage(std::string html) : html_(std::move(html)) {
    html::parse(html_, {}, document_);
    outline_.build(document_);
    records_.build(outline_);
  }
  [[nodiscard]] const PageOutline& outline() const { return outline_; }
  [[nodiscard]] const PageRecords& records() const { return records_; }
  [[nodiscard]] std::uint32_t region_of(std::uint32_t run) const { return outline_.runs()[run].region; }

 private:
  std::string html_;
  html::Document document_;
  PageOutline outline_;
  PageRecords records_;
};

TEST(SheafOnlyContentRecords, SiblingsOfOneLookAreRecords) {
  const RecordPage page(
      "<h1>Mugs</h1><div class=grid>"
      "<div class='card post-1 first'><h3><a href=/1>Red</a></h3><p>$5</p></div>"
      "<div class='card post-2'><h3><a href=/2>Blue</a></h3><p>$6</p></div>"
      "<div class='card post-3 last'><h3>White</h3><p>7 pieces</p></div></div>");
  const PageRecords& records = page.records();
  EXPECT_EQ(records.inner(page.region_of(0)), PageRecords::kNone);
  const std::uint32_t record = records.inner(page.region_of(1));
  ASSERT_NE(record, PageRecords::kNone);
  EXPECT_EQ(records.inner(page.region_of(2)), record);
  EXPECT_NE(records.inner(page.region_of(3)), record);
  const PageRecords::Group& group = records.group(record);
  EXPECT_EQ(group.records, 3U);
  EXPECT_EQ(group.runs, 6U);
  EXPECT_EQ(group.counts.headings, 3U);
  EXPECT_EQ(group.counts.linked_headings, 2U);
  EXPECT_EQ(group.counts.prices, 2U);
  EXPECT_EQ(&records.largest(), &group);
}

TEST(SheafOnlyContentRecords, TwoAreNotEnoughAndItemsOfOneTextAreNone) {
  const RecordPage two("<div class=a><p>x</p><p>y</p></div><div class=a><p>x</p><p>y</p></div>");
  EXPECT_EQ(two.records().inner(two.region_of(0)), PageRecords::kNone);
  const RecordPage list("<ul><li>a<li>b<li>c<li>d</ul>");
  EXPECT_EQ(list.records().inner(list.region_of(0)), PageRecords::kNone);
  EXPECT_EQ(list.records().largest().records, 0U);
}

TEST(SheafOnlyContentRecords, RecordsInRecords) {
  const std::string inner = "<ul><li><b>a</b><p>b</p><li><b>a</b><p>b</p><li><b>a</b><p>b</p></ul>";
  const RecordPage page("<div class=post>" + inner + "</div><div class=post>" + inner +
                        "</div><div class=post>" + inner + "</div>");
  const std::uint32_t at = page.region_of(0);
  EXPECT_NE(page.records().inner(at), page.records().outer(at));
  EXPECT_EQ(page.records().group(page.records().outer(at)).runs, 18U);
}

TEST(SheafOnlyContentRecords, RepeatedTexts) {
  const RecordPage page("<p>One text<p>Another<p>One text<p>One text");
  EXPECT_EQ(page.records().copies(0), 3U);
  EXPECT_EQ(page.records().first_copy(2), 0U);
  EXPECT_EQ(page.records().first_copy(3), 0U);
  EXPECT_EQ(page.records().copies(1), 1U);
}

TEST(SheafOnlyContentRecords, SumsOfMoney) {
  for (const std::string text : {"$5", "12,50 \xE2\x82\xAC",
                                 "now only \xC2\xA3"
                                 "3"}) {
    const RecordPage page("<p>" + text);
    EXPECT_TRUE(names_price(page.outline().runs()[0])) << text;
  }
  for (const std::string text : {"5 pieces", "$", "no price"}) {
    const RecordPage page("<p>" + text);
    EXPECT_FALSE(names_price(page.outline().runs()[0])) << text;
  }
}

TEST(SheafOnlyContentContext, TellsWhatTheFirstScoresSayOfTheSurroundings) {
  const RecordPage page("<div><p>aa</p><p>bb</p></div><section><p>cc</p></section>");
  const std::vector<float> scores = {2, 1, -3};
  ContentContext context;
  context.build(page.outline(), page.records(), scores);
  Features features{};
  context.fill(1, features);
  const auto value = [&features](std::size_t i) { return features[kFirstOfContext + i]; };
  EXPECT_FLOAT_EQ(value(0), 1);      // its own
  EXPECT_FLOAT_EQ(value(1), 2);      // before it
  EXPECT_FLOAT_EQ(value(3), -3);     // after it
  EXPECT_FLOAT_EQ(value(2), -4);     // there is none two before
  EXPECT_FLOAT_EQ(value(5), 0);      // around it: all three are of one size
  EXPECT_FLOAT_EQ(value(7), 1.5F);   // in the region around its own
  EXPECT_FLOAT_EQ(value(11), 0);     // in regions that look like its own
  EXPECT_FLOAT_EQ(value(12), 1.5F);  // ... and stand in ones that look alike
  EXPECT_FLOAT_EQ(value(20), 1);     // to what is kept before it
  EXPECT_FLOAT_EQ(value(21), 50);    // there is none after it
}

}  // namespace
}  // namespace sheaf::extract
