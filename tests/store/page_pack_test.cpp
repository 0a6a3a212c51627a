#include "sheaf/store/shared/page_pack.h"

#include <gtest/gtest.h>

#include <string>

namespace sheaf::store::shared {
namespace {

TEST(PagePack, PagesAreReadByNumber) {
  PackBuilder builder;
  for (int i = 0; i < 50; ++i) {
    const std::string url = "https://example.com/" + std::to_string(i);
    const std::string json = "{\"url\":\"" + url + "\"}";
    EXPECT_EQ(builder.add({url, "2026-01-01T00:00:00Z", {7, 8}, json, {9, 0}}), static_cast<unsigned>(i));
  }
  for (const std::string& dictionary : {std::string(), make_dictionary(builder.raw())}) {
    const std::string bytes = compress_pack(builder.raw(), dictionary);
    EXPECT_LT(bytes.size(), builder.raw().size());
    const auto raw = decompress_pack(bytes, dictionary, builder.raw().size());
    ASSERT_TRUE(raw) << raw.error().message;
    const auto reader = PackReader::open(*raw);
    ASSERT_TRUE(reader);
    ASSERT_EQ(reader->pages(), 50U);
    const auto page = reader->page(31);
    ASSERT_TRUE(page);
    EXPECT_EQ(page->url, "https://example.com/31");
    EXPECT_EQ(page->as_of, (Instant{7, 8}));
    EXPECT_FALSE(reader->page(50));
  }
}

TEST(PagePack, DamageIsFound) {
  PackBuilder builder;
  builder.add({"https://example.com/", "2026-01-01T00:00:00Z", {}, std::string(5000, 'x'), {}});
  const std::string bytes = compress_pack(builder.raw(), "");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    const auto raw = decompress_pack(flipped, "", builder.raw().size());
    if (raw) {
      EXPECT_EQ(*raw, builder.raw()) << i;  // a bit that decoders ignore
    }
  }
  EXPECT_FALSE(decompress_pack(bytes, "", builder.raw().size() - 1));
  EXPECT_FALSE(decompress_pack(bytes.substr(1), "", builder.raw().size()));
  EXPECT_FALSE(decompress_pack(bytes, "", UINT64_MAX));
  EXPECT_FALSE(PackReader::open(builder.raw().substr(0, builder.raw().size() - 1)));
}

}  // namespace
}  // namespace sheaf::store::shared
