#include "sheaf/format/collections/state_digest.h"

#include "sheaf/base/hex.h"
#include "support/collection_text.h"

#include <gtest/gtest.h>

#include <random>

namespace sheaf::format {
namespace {

/// Schoolbook addition of hexadecimal numbers modulo 16^64.
std::string add_hex(const std::string& a, const std::string& b) {
  std::string sum(64, '0');
  int carry = 0;
  for (std::size_t i = 64; i-- > 0;) {
    carry += base::hex_value(a[i]) + base::hex_value(b[i]);
    sum[i] = "0123456789abcdef"[carry % 16];
    carry /= 16;
  }
  return sum;
}

// Readings, "State digest": the sum modulo 2^256 of SHA-256(url LF modified) over all pages of the section.
TEST(SpecStateDigest, IsTheSumOverThePages) {
  StateDigest state;
  EXPECT_EQ(state.to_string(), "sum256:" + std::string(64, '0'));
  std::string naive(64, '0');
  for (int i = 0; i < 100; ++i) {
    const std::string url = "https://example.com/" + std::to_string(i);
    state.add(url, "2026-01-10T12:00:00Z");
    naive = add_hex(naive, test::sha256_hex(url + "\n2026-01-10T12:00:00Z"));
    ASSERT_EQ(state.to_string(), "sum256:" + naive);
  }
}

TEST(SpecStateDigest, OrderDoesNotMatterAndSubtractingUndoes) {
  std::mt19937 random(5);
  std::vector<std::pair<std::string, std::string>> pages;
  for (int i = 0; i < 50; ++i)
    pages.emplace_back("https://e.com/" + std::to_string(i), std::to_string(random()));
  StateDigest forward;
  for (const auto& [url, modified] : pages) forward.add(url, modified);
  std::shuffle(pages.begin(), pages.end(), random);
  StateDigest shuffled;
  for (const auto& [url, modified] : pages) shuffled.add(url, modified);
  EXPECT_EQ(forward.to_string(), shuffled.to_string());
  StateDigest with_more = std::move(shuffled);
  with_more.add("https://e.com/x", "1");
  EXPECT_NE(with_more.to_string(), forward.to_string());
  with_more.subtract("https://e.com/x", "1");
  EXPECT_EQ(with_more.to_string(), forward.to_string());
  for (const auto& [url, modified] : pages) with_more.subtract(url, modified);
  EXPECT_EQ(with_more.to_string(), "sum256:" + std::string(64, '0'));
}

TEST(SheafOnlyStateDigest, CarriesAndBorrowsOverEveryByte) {
  base::Digest one{};
  one.back() = 1;
  StateDigest state;
  state.subtract(one);
  EXPECT_EQ(state.to_string(), "sum256:" + std::string(64, 'f'));
  state.add(one);
  EXPECT_EQ(state.to_string(), "sum256:" + std::string(64, '0'));
}

TEST(SheafOnlyStateDigest, ReadsItsOwnForm) {
  StateDigest state;
  state.add("https://e.com/", "x");
  const std::string text = state.to_string();
  EXPECT_TRUE(state.matches(text));
  std::string upper = text;
  for (char& c : upper)
    if (c >= 'a' && c <= 'f') c = static_cast<char>(c - 32);
  EXPECT_TRUE(state.matches(upper));
  for (const std::string& bad :
       {std::string(), std::string("sum256:"), text + "0", "sha256:" + text.substr(7), text.substr(7)}) {
    EXPECT_FALSE(StateDigest::parse(bad)) << bad;
    EXPECT_FALSE(state.matches(bad)) << bad;
  }
  EXPECT_FALSE(state.matches("sum256:" + std::string(64, '0')));
}

}  // namespace
}  // namespace sheaf::format
