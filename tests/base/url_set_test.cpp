#include "sheaf/base/url_set.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::base {
namespace {

std::string url(int number) { return "https://example.com/section/page-" + std::to_string(number); }

// Readings: duplicate-url is found for at most 16 bytes per page.
TEST(SpecUrlSet, TakesAtMostSixteenBytesPerUrl) {
  UrlSet urls;
  constexpr int kCount = 1'000'000;
  for (int i = 0; i < kCount; ++i) ASSERT_TRUE(urls.insert(url(i)));
  EXPECT_EQ(urls.size(), static_cast<std::uint64_t>(kCount));
  EXPECT_LE(urls.memory_bytes() / urls.size(), 16U);
  EXPECT_LE(urls.memory_bytes(), 16U * kCount);
  for (int i = 0; i < kCount; i += 97) ASSERT_FALSE(urls.insert(url(i)));
  EXPECT_EQ(urls.size(), static_cast<std::uint64_t>(kCount));
}

TEST(SheafOnlyUrlSet, DistinguishesNewFromOldWhileGrowing) {
  UrlSet urls;
  for (int i = 0; i < 20'000; ++i) {
    ASSERT_TRUE(urls.insert(url(i)));
    ASSERT_FALSE(urls.insert(url(i)));
    ASSERT_FALSE(urls.insert(url(i / 2)));
  }
  EXPECT_EQ(urls.size(), 20'000U);
  EXPECT_TRUE(urls.insert(""));
  EXPECT_FALSE(urls.insert(""));
}

}  // namespace
}  // namespace sheaf::base
