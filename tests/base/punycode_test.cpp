#include "sheaf/base/punycode.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::base {
namespace {

struct Sample {
  std::u32string_view label;
  std::string_view text;
};

// RFC 3492 section 7.1, and the labels with only basic or no basic code points around them.
constexpr Sample kSamples[] = {
    {U"\u4ED6\u4EEC\u4E3A\u4EC0\u4E48\u4E0D\u8BF4\u4E2D\u6587", "ihqwcrb4cv8a8dqg056pqjye"},
    {U"Pro\u010Dprost\u011Bnemluv\u00ED\u010Desky", "Proprostnemluvesky-uyb24dma41a"},
    {U"3\u5E74B\u7D44\u91D1\u516B\u5148\u751F", "3B-ww4c5e180e575a65lsy2b"},
    {U"-> $1.00 <-", "-> $1.00 <--"},
    {U"b\u00FCcher", "bcher-kva"},
    {U"\u00DF", "zca"},
    {U"\U0001F4A9", "ls8h"},
    {U"", ""},
};

TEST(SpecPunycode, Samples) {
  for (const Sample& sample : kSamples) {
    EXPECT_EQ(encode_punycode(sample.label), sample.text);
    EXPECT_EQ(decode_punycode(sample.text), sample.label) << sample.text;
  }
}

TEST(SpecPunycode, RefusesWhatIsNone) {
  for (const std::string_view text :
       {"!", "a-!", "zz\xC3\xA9", "\xC3\xA9-a", "99999999", "a-z", "zzzzzzzzzzzzzzzzzz"}) {
    EXPECT_EQ(decode_punycode(text), std::nullopt) << text;
  }
}

TEST(SpecPunycode, RefusesSurrogates) {
  // U+D7FF, U+D800, U+DFFF.
  EXPECT_EQ(decode_punycode("hb9b"), std::u32string(1, char32_t{0xD7FF}));
  EXPECT_EQ(decode_punycode("ib9b"), std::nullopt);
  EXPECT_EQ(decode_punycode("zy0c"), std::nullopt);
}

TEST(SheafOnlyPunycode, LengthIsBounded) {
  EXPECT_TRUE(encode_punycode(std::u32string(2048, U'\u00E9')));
  EXPECT_FALSE(encode_punycode(std::u32string(2049, U'\u00E9')));
  EXPECT_FALSE(decode_punycode(std::string(2049, 'a')));
  const std::u32string highest = std::u32string(2047, U'\u00E9') + char32_t{0x10FFFF};
  EXPECT_TRUE(encode_punycode(highest));
}

}  // namespace
}  // namespace sheaf::base
