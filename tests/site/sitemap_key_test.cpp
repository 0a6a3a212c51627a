#include "sheaf/base/byte_source.h"
#include "sheaf/site/sitemap.h"
#include "sheaf/site/sitemap_merge.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::site {
namespace {

constexpr std::string_view kPublicKey = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";

Advertised with_key() {
  Advertised advertised;
  advertised.version = "0.1";
  advertised.key = AdvertisedKey{std::string(kPublicKey), "https://example.com/.well-known/scp-keys", 2};
  return advertised;
}

AdvertisedSitemap read_back(const std::string& bytes) {
  const auto source = base::buffer_source(bytes);
  auto read = read_advertised(*source);
  EXPECT_TRUE(read);
  return std::move(*read);
}

TEST(SheafOnlySitemapKey, IsReadAsItWasWritten) {
  const auto bytes = write_sitemap(with_key());
  ASSERT_TRUE(bytes);
  const AdvertisedSitemap read = read_back(*bytes);
  EXPECT_EQ(read.advertised, with_key());
  EXPECT_TRUE(read.findings.empty());
}

TEST(SheafOnlySitemapKey, IsReplacedAndRemovedLikeTheOtherElements) {
  const auto bytes = write_sitemap(with_key());
  ASSERT_TRUE(bytes);
  Advertised other = with_key();
  other.key->statements = 3;
  const auto replaced = merge_advertised(*bytes, other);
  ASSERT_TRUE(replaced);
  EXPECT_TRUE(replaced->changed);
  EXPECT_EQ(read_back(replaced->bytes).advertised, other);
  const auto removed = merge_advertised(replaced->bytes, Advertised{});
  ASSERT_TRUE(removed);
  EXPECT_FALSE(removed->bytes.contains(kPublicKey));
}

// The schema of the drafts has no such element, so it must not be in their namespace.
TEST(SheafOnlySitemapKey, IsInANamespaceOfItsOwn) {
  const auto bytes = write_sitemap(with_key());
  ASSERT_TRUE(bytes);
  EXPECT_TRUE(bytes->contains("<sheaf:key xmlns:sheaf=\"urn:x-sheaf:sitemap:1\" publicKey=")) << *bytes;
  EXPECT_FALSE(bytes->contains("<scp:key"));
  const AdvertisedSitemap theirs = read_back(
      "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" "
      "xmlns:scp=\"https://scp-protocol.org/schemas/sitemap/1.0\"><scp:key publicKey=\"one\"/></urlset>");
  EXPECT_FALSE(theirs.advertised.key);
}

TEST(SheafOnlySitemapKey, WhatIsMissingIsReported) {
  const std::string open =
      "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" "
      "xmlns:sheaf=\"urn:x-sheaf:sitemap:1\">";
  const AdvertisedSitemap none = read_back(open + "<sheaf:key url=\"https://a.example/k\"/></urlset>");
  EXPECT_FALSE(none.advertised.key);
  EXPECT_EQ(none.summary.count(SitemapCode::missing_attribute), 1);
  const AdvertisedSitemap bare =
      read_back(open + "<sheaf:key publicKey=\"RWx\" statements=\"many\"/></urlset>");
  ASSERT_TRUE(bare.advertised.key);
  EXPECT_EQ(bare.advertised.key->url, "");
  EXPECT_EQ(bare.advertised.key->statements, 0);
  EXPECT_EQ(bare.summary.count(SitemapCode::invalid_attribute), 1);
}

TEST(SheafOnlySitemapKey, TheFirstKeyCounts) {
  const AdvertisedSitemap two = read_back(
      "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" "
      "xmlns:sheaf=\"urn:x-sheaf:sitemap:1\"><sheaf:key publicKey=\"one\"/><sheaf:key "
      "publicKey=\"two\"/></urlset>");
  ASSERT_TRUE(two.advertised.key);
  EXPECT_EQ(two.advertised.key->public_key, "one");
}

}  // namespace
}  // namespace sheaf::site
