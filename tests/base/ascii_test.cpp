#include "sheaf/base/ascii.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sheaf::base {
namespace {

TEST(SheafOnlyAscii, ClassifiesEveryByte) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::string_view kSmall = "abcdefghijklmnopqrstuvwxyz";
  constexpr std::string_view kCapital = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    const bool digit = kDigits.find(c) != std::string_view::npos;
    const std::size_t capital = kCapital.find(c);
    const bool letter = capital != std::string_view::npos || kSmall.find(c) != std::string_view::npos;
    EXPECT_EQ(is_digit(c), digit) << byte;
    EXPECT_EQ(is_letter(c), letter) << byte;
    EXPECT_EQ(is_alphanumeric(c), digit || letter) << byte;
    EXPECT_EQ(lower_ascii(c), capital != std::string_view::npos ? kSmall[capital] : c) << byte;
  }
}

TEST(SheafOnlyAscii, LeavesOtherCharactersAsTheyAre) {
  EXPECT_EQ(lower_text("Content-TYPE"), "content-type");
  EXPECT_EQ(lower_text("\u00C4RGER 1"), "\u00C4rger 1");
  EXPECT_EQ(lower_text(""), "");
}

std::string all_where(bool (*is_member)(char)) {
  std::string members;
  for (int c = 0; c < 256; ++c)
    if (is_member(static_cast<char>(c))) members += static_cast<char>(c);
  return members;
}

TEST(SheafOnlyAscii, EachFormatHasItsOwnWhiteSpace) {
  EXPECT_EQ(all_where(is_blank), "\t ");
  EXPECT_EQ(all_where(is_xml_space), "\t\n\r ");
  EXPECT_EQ(all_where(is_space), "\t\n\f\r ");
  EXPECT_EQ(all_where(is_space_or_control).size(), 33U);
}

TEST(SheafOnlyAscii, OnlyTheEndsAreTrimmed) {
  constexpr std::string_view kText = "\f\n\t a \n b \t\n\f";
  EXPECT_EQ(trim_blanks("\t a \t b\n \t"), "a \t b\n");
  EXPECT_EQ(trim_blanks(kText), kText);
  EXPECT_EQ(trim_xml_space(kText), kText);
  EXPECT_EQ(trim_xml_space(kText.substr(1, kText.size() - 2)), "a \n b");
  EXPECT_EQ(trim_space(kText), "a \n b");
  EXPECT_EQ(trim_front<is_space>(kText), "a \n b \t\n\f");
  EXPECT_EQ(trim_space(" \t\n"), "");
}

}  // namespace
}  // namespace sheaf::base
