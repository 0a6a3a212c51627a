#include "sheaf/base/ascii.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace sheaf::base
