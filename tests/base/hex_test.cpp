#include "sheaf/base/hex.h"

#include <gtest/gtest.h>

#include <array>

namespace sheaf::base {
namespace {

TEST(SheafOnlyHex, RoundTripsEveryByte) {
  std::array<std::uint8_t, 256> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i);
  const std::string text = to_hex(bytes);
  EXPECT_EQ(text.substr(0, 8), "00010203");
  EXPECT_EQ(text.substr(508), "feff");
  std::array<std::uint8_t, 256> back{};
  ASSERT_TRUE(from_hex(text, back));
  EXPECT_EQ(back, bytes);
}

TEST(SheafOnlyHex, ReadsEitherCaseAndNothingElse) {
  std::array<std::uint8_t, 2> out{};
  ASSERT_TRUE(from_hex("aBCd", out));
  EXPECT_EQ(out[0], 0xab);
  EXPECT_EQ(out[1], 0xcd);
  for (const std::string_view text :
       {"", "abc", "abcde", "ab g", "0x12", "ab:d", "abcG", "@bcd", "`bcd", "abc/"})
    EXPECT_FALSE(from_hex(text, out)) << text;
  EXPECT_TRUE(from_hex("", std::span<std::uint8_t>()));
}

}  // namespace
}  // namespace sheaf::base
