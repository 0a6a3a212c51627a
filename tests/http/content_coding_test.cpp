#include "sheaf/http/content_coding.h"

#include <gtest/gtest.h>

namespace sheaf::http {
namespace {

std::string plain() { return "hello hello hello hello\n"; }

TEST(ContentCoding, WhatIsNotEncodedStaysAsItIs) {
  for (const std::string_view coding : {"", "identity", " Identity "}) {
    EXPECT_EQ(decode_content("body", coding, 4), "body") << coding;
    EXPECT_FALSE(decode_content("body", coding, 3)) << coding;
  }
  EXPECT_EQ(decode_content("", "gzip", 3), "");
  EXPECT_EQ(decode_content("<html>mislabelled", "gzip", 100), "<html>mislabelled");
}

TEST(ContentCoding, GzipWithinTheLimitAndNotDamaged) {
  const std::string gzip = std::string(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\xcb\x48\xcd\xc9\xc9\x57\xc8\x40\x27\xb9\x00\x00\x88\x59\x0b"
      "\x18\x00\x00\x00",
      29);
  for (const std::string_view coding : {"gzip", "x-gzip", "GZIP"})
    EXPECT_EQ(decode_content(gzip, coding, 24), plain());
  const auto over = decode_content(gzip, "gzip", 23);
  ASSERT_FALSE(over);
  EXPECT_EQ(over.error().code, base::Errc::invalid_data);
  for (std::size_t size = 2; size < gzip.size(); ++size)
    EXPECT_FALSE(decode_content(gzip.substr(0, size), "gzip", 1000)) << size;
  EXPECT_FALSE(decode_content(gzip + "garbage", "gzip", 1000));
  EXPECT_EQ(decode_content(gzip + gzip, "gzip", 1000), plain() + plain());
  EXPECT_EQ(decode_content(gzip, "", 1000), gzip) << "nobody said that it is encoded";
}

TEST(ContentCoding, ACodingNobodyAskedFor) {
  for (const std::string_view coding : {"br", "zstd", "deflate", "gzip, br"}) {
    const auto decoded = decode_content("x", coding, 100);
    ASSERT_FALSE(decoded) << coding;
    EXPECT_NE(decoded.error().message.find(coding), std::string::npos) << decoded.error().message;
  }
}

}  // namespace
}  // namespace sheaf::http
