// The member `inline` of blocks: read, checked, written again.
#include "sheaf/format/pages/page_encoder.h"
#include "support/collection_text.h"
#include "support/reading.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::format {
namespace {

using test::decode_block;

constexpr std::string_view kValid[] = {
    R"({"type":"text","text":"a b","inline":[{"from":0,"to":3,"kind":"strong"},{"from":2,"to":3,"kind":"em"}]})",
    R"({"type":"text","text":"a b","inline":[{"from":2,"to":3,"kind":"link","url":"https://e.com/"}]})",
    R"({"type":"heading","level":2,"text":"fun","inline":[{"from":0,"to":3,"kind":"code"}]})",
    R"({"type":"quote","text":"q","inline":[{"from":0,"to":1,"kind":"sub"}]})",
    R"({"type":"list","ordered":true,"items":["a","b"],"start":3,"inline":[[],[{"from":0,"to":1,"kind":"math"}]]})",
    R"({"type":"table","rows":[["a","b"],["c"]],"inline":[[[],[{"from":0,"to":1,"kind":"sup"}]],[[]]]})",
};

TEST(SheafOnlyInlineFormat, IsKeptAsItCame) {
  for (const std::string_view block : kValid) {
    const auto decoded = decode_block(block);
    ASSERT_TRUE(decoded.is_page()) << block;
    EXPECT_TRUE(decoded.codes().empty()) << block;
    EXPECT_FALSE(decoded.page.content[0].inlines.empty()) << block;
    std::string line;
    encode_page(decoded.page, line);
    EXPECT_NE(line.find(block), std::string::npos) << line;
  }
}

TEST(SheafOnlyInlineFormat, IsNotLookedAtForTextsAlone) {
  for (const std::string_view block :
       {std::string_view(R"({"type":"text","text":"a b","inline":[{"from":0,"to":3,"kind":"blink"}]})"),
        kValid[0], kValid[4]}) {
    const auto decoded = test::decode_page(test::page_with_block(block), Detail::texts);
    ASSERT_TRUE(decoded.is_page()) << block;
    EXPECT_TRUE(decoded.codes().empty()) << block;
    EXPECT_TRUE(decoded.page.content[0].inlines.empty()) << block;
  }
}

TEST(SheafOnlyInlineFormat, InvalidRangesAreDroppedWithAWarning) {
  const auto with = [](std::string_view ranges) {
    return R"({"type":"text","text":"ab)"
           "\U0001F600"
           R"(","inline":)" +
           std::string(ranges) + "}";
  };
  for (const std::string_view ranges : {
           R"([{"from":0,"to":5,"kind":"em"}])",     // beyond the end
           R"([{"from":0,"to":3,"kind":"em"}])",     // inside a pair
           R"([{"from":1,"to":1,"kind":"em"}])",     // empty
           R"([{"from":-1,"to":1,"kind":"em"}])",    // negative
           R"([{"from":0,"to":1,"kind":"blink"}])",  // unknown
           R"([{"from":0,"to":1,"kind":"link"}])",   // without a URL
           R"([{"from":0,"to":1,"kind":"link","url":"javascript:x"}])",
           R"([{"from":0,"kind":"em"}])",
           R"(["x"])",
           R"({})",
           R"("x")",
           R"(null)",
       }) {
    const auto decoded = decode_block(with(ranges));
    ASSERT_TRUE(decoded.is_page()) << ranges;
    EXPECT_EQ(decoded.codes(), std::vector<std::string>({"invalid-field"})) << ranges;
    EXPECT_TRUE(decoded.page.content[0].inlines.empty()) << ranges;
    EXPECT_EQ(decoded.raw.find("inline"), std::string::npos) << decoded.raw;
  }
}

TEST(SheafOnlyInlineFormat, OfRangesThatCrossTheFirstStays) {
  const auto decoded = decode_block(
      R"({"type":"text","text":"abcd","inline":[{"from":2,"to":4,"kind":"em"},{"from":0,"to":3,"kind":"strong"}]})");
  EXPECT_EQ(decoded.codes(), std::vector<std::string>({"invalid-field"}));
  ASSERT_EQ(decoded.page.content[0].inlines.size(), 1U);
  ASSERT_EQ(decoded.page.content[0].inlines[0].size(), 1U);
  EXPECT_EQ(decoded.page.content[0].inlines[0][0], (Inline{0, 3, InlineKind::strong, {}}));
}

TEST(SheafOnlyInlineFormat, ListsAndTablesNeedOneEntryForEachText) {
  for (const std::string_view block : {
           R"({"type":"list","ordered":false,"items":["a","b"],"inline":[[]]})",
           R"({"type":"table","rows":[["a","b"]],"inline":[[[]]]})",
           R"({"type":"list","ordered":true,"items":["a"],"start":"x"})",
       }) {
    const auto decoded = decode_block(block);
    EXPECT_EQ(decoded.codes(), std::vector<std::string>({"invalid-field"})) << block;
    EXPECT_TRUE(decoded.page.content[0].inlines.empty()) << block;
  }
}

}  // namespace
}  // namespace sheaf::format
