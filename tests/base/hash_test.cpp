#include "sheaf/base/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace sheaf::base {
namespace {

// Key bytes 00 to 0f, messages 00, 00 01, ...: made by a separate program that also gives the published
// SipHash-2-4 vector a129ca6149be45e5 for 15 bytes.
TEST(SheafOnlyHash, IsSipHash13) {
  constexpr HashKey kKey{0x0706050403020100, 0x0f0e0d0c0b0a0908};
  std::string text;
  constexpr std::uint64_t kExpected[] = {
      0xabac0158050fc4dc, 0xc9f49bf37d57ca93, 0x82cb9b024dc7d44d, 0x8bf80ab8e7ddf7fb, 0xcf75576088d38328,
      0xdef9d52f49533b67, 0xc50d2b50c59f22a7, 0xd3927d989bb11140, 0x369095118d299a8e, 0x25a48eb36c063de4,
      0x79de85ee92ff097f, 0x70c118c1f94dc352, 0x78a384b157b4d9a2, 0x306f760c1229ffa7, 0x605aa111c0f95d34,
      0xd320d86d2a519956, 0xcc4fdd1a7d908b66, 0x9cf2689063dbd80c};
  for (const std::uint64_t expected : kExpected) {
    EXPECT_EQ(keyed_hash(kKey, text), expected) << text.size();
    text += static_cast<char>(text.size());
  }
}

TEST(SheafOnlyHash, DependsOnKeyTextAndLength) {
  const HashKey key{1, 2};
  EXPECT_NE(keyed_hash(key, "a"), keyed_hash({1, 3}, "a"));
  EXPECT_NE(keyed_hash(key, "a"), keyed_hash({2, 2}, "a"));
  EXPECT_NE(keyed_hash(key, std::string_view("a\0", 2)), keyed_hash(key, "a"));
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 10'000; ++i) seen.insert(keyed_hash(key, "https://example.com/" + std::to_string(i)));
  EXPECT_EQ(seen.size(), 10'000U);
}

TEST(SheafOnlyHash, RandomKeysDiffer) {
  const HashKey a = HashKey::random();
  const HashKey b = HashKey::random();
  EXPECT_FALSE(a.first == b.first && a.second == b.second);
}

}  // namespace
}  // namespace sheaf::base
