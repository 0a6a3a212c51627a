#include "sheaf/base/hex.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>

namespace sheaf::base {
namespace {

// RFC 4648, 10.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kVectors = {{{"", ""},
                                                                                    {"f", "Zg=="},
                                                                                    {"fo", "Zm8="},
                                                                                    {"foo", "Zm9v"},
                                                                                    {"foob", "Zm9vYg=="},
                                                                                    {"fooba", "Zm9vYmE="},
                                                                                    {"foobar", "Zm9vYmFy"}}};

TEST(Base64, TheVectorsOfTheStandard) {
  for (const auto& [bytes, text] : kVectors) {
    EXPECT_EQ(to_base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
}

TEST(Base64, EveryByteComesBackInBothForms) {
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  for (std::size_t size = 0; size <= bytes.size(); ++size)
    for (const Base64 form : {Base64::standard, Base64::url})
      EXPECT_EQ(from_base64(to_base64(bytes.substr(0, size), form), form), bytes.substr(0, size));
}

TEST(Base64, TheFormForUrlsHasItsOwnDigitsAndNoPadding) {
  EXPECT_EQ(to_base64("\xfb\xff\xfe", Base64::url), "-__-");
  EXPECT_EQ(to_base64("f", Base64::url), "Zg");
  EXPECT_FALSE(from_base64("Zg==", Base64::url));
  EXPECT_FALSE(from_base64("+//+", Base64::url));
}

TEST(Base64, AValueHasOneTextOnly) {
  for (const std::string_view text : {"Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Z", "Zm9v\n", " Zm9v", "Zm 9v",
                                      "Z=9v", "====", "Zm9v=", "\xc3\xa4==", "-__-"})
    EXPECT_FALSE(from_base64(text)) << text;
}

}  // namespace
}  // namespace sheaf::base
