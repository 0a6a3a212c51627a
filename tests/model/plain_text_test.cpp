#include "sheaf/model/plain_text.h"

#include <gtest/gtest.h>

#include <array>

namespace sheaf::model {
namespace {

std::string text_of(const Block& block) {
  std::string out;
  append_block_text(out, block);
  return out;
}

TEST(PlainText, WhatAPersonReads) {
  const std::array<Text, 2> items = {"one", "two"};
  const std::array<List<Text>, 2> rows = {List<Text>(items), List<Text>(items)};
  EXPECT_EQ(text_of({TextBlock{"words"}, {}}), "words");
  EXPECT_EQ(text_of({HeadingBlock{2, "A heading"}, {}}), "A heading");
  EXPECT_EQ(text_of({ListBlock{true, List<Text>(items)}, {}}), "one\ntwo");
  EXPECT_EQ(text_of({TableBlock{List<List<Text>>(rows)}, {}}), "one\ttwo\none\ttwo");
  EXPECT_EQ(text_of({QuoteBlock{"said", "by whom"}, {}}), "said\nby whom");
  EXPECT_EQ(text_of({ImageBlock{"https://a.example/i", "An image"}, {}}), "An image");
  Media media;
  media.name = "A film";
  media.transcript = "Words of it";
  EXPECT_EQ(text_of({VideoBlock{&media}, {}}), "A film\nWords of it");
  EXPECT_EQ(text_of({UnknownBlock{"new", "{}"}, {}}), "");
}

TEST(PlainText, BlocksWithoutTextLeaveNoGap) {
  const std::array<Block, 4> blocks = {Block{StructuredBlock{"json-ld", "{}"}, {}}, Block{TextBlock{"a"}, {}},
                                       Block{ImageBlock{"https://a.example/i", ""}, {}},
                                       Block{TextBlock{"b"}, {}}};
  Page page;
  page.content = std::span<const Block>(blocks);
  std::string out;
  append_page_text(out, page);
  EXPECT_EQ(out, "a\n\nb");
}

TEST(PlainText, Words) {
  EXPECT_EQ(count_words(""), 0U);
  EXPECT_EQ(count_words("  two \n words\t"), 2U);
  EXPECT_EQ(count_words("\xC3\xA4 \xD1\x8F"), 2U);
  // Three kanji, a full stop, a word.
  EXPECT_EQ(count_words("\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E\xE3\x80\x82word"), 4U);
  EXPECT_EQ(count_words("a\xE4\xB8"), 2U);  // cut in the middle
}

}  // namespace
}  // namespace sheaf::model
