#include "sheaf/http/message/message_body.h"

#include <gtest/gtest.h>

namespace sheaf::http::message {
namespace {

std::string plain() { return "hello hello hello hello\n"; }

std::string gzip() {
  return std::string(
      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\xcb\x48\xcd\xc9\xc9\x57\xc8\x40\x27\xb9\x00\x00\x88\x59\x0b"
      "\x18\x00\x00\x00",
      29);
}

TEST(ContentCoding, UnencodedContentIsUnchanged) {
  for (const std::string_view coding : {"", "identity", " Identity "}) {
    EXPECT_EQ(decode_content("body", coding, 4), "body") << coding;
    EXPECT_FALSE(decode_content("body", coding, 3)) << coding;
  }
  EXPECT_EQ(decode_content("", "gzip", 3), "");
  EXPECT_EQ(decode_content("<html>mislabelled", "gzip", 100), "<html>mislabelled");
}

TEST(ContentCoding, GzipWithinTheLimitAndNotDamaged) {
  const std::string gzip = ::sheaf::http::message::gzip();
  for (const std::string_view coding : {"gzip", "x-gzip", "GZIP"})
    EXPECT_EQ(decode_content(gzip, coding, 24), plain());
  const auto over = decode_content(gzip, "gzip", 23);
  ASSERT_FALSE(over);
  EXPECT_EQ(over.error().code, base::Errc::invalid_data);
  for (std::size_t size = 2; size < gzip.size(); ++size)
    EXPECT_FALSE(decode_content(gzip.substr(0, size), "gzip", 1000)) << size;
  EXPECT_FALSE(decode_content(gzip + "garbage", "gzip", 1000));
  EXPECT_EQ(decode_content(gzip + gzip, "gzip", 1000), plain() + plain());
  EXPECT_EQ(decode_content(gzip, "", 1000), gzip) << "without Content-Encoding";
}

TEST(ContentCoding, DeflateInBothItsForms) {
  const std::string bare("\xcb\x48\xcd\xc9\xc9\x57\xc8\x40\x27\xb9\x00", 11);
  const std::string zlib = std::string("\x78\x9c", 2) + bare + std::string("\x70\xbe\x08\xbb", 4);
  for (const std::string& body : {bare, zlib}) {
    EXPECT_EQ(decode_content(body, "deflate", 24), plain());
    EXPECT_FALSE(decode_content(body, "deflate", 23));
    EXPECT_FALSE(decode_content(body.substr(0, body.size() - 1), "deflate", 24));
  }
  EXPECT_EQ(decode_content("", "deflate", 24), "");
}

TEST(ContentCoding, Brotli) {
  // Made by the reference encoder from "<p>" and twenty times "pear ".
  std::string text = "<p>";
  for (int i = 0; i < 20; ++i) text += "pear ";
  const std::string body(
      "\x1b\x66\x00\xf8\x1d\xa9\x51\x9f\x3b\xe6\x12\x8e\x07\xa4\xc2\xe4\xca\xa7\x2c\x70\x8b\x02\xe4\xd1\x00",
      25);
  for (const std::string_view coding : {"br", "BR"})
    EXPECT_EQ(decode_content(body, coding, text.size()), text);
  EXPECT_FALSE(decode_content(body, "br", text.size() - 1));
  for (std::size_t size = 1; size < body.size(); ++size)
    EXPECT_FALSE(decode_content(body.substr(0, size), "br", 1000)) << size;
  EXPECT_FALSE(decode_content(body + "x", "br", 1000));
  EXPECT_EQ(decode_content("", "br", 10), "");
  EXPECT_EQ(decode_content_prefix(body, "br", 7, false), text.substr(0, 7));
}

TEST(ContentCoding, APrefixIsNotAnErrorHoweverLongTheRest) {
  EXPECT_EQ(decode_content_prefix("body", "", 3, false), "bod");
  for (const std::size_t limit : {0UL, 1UL, 23UL, 24UL, 25UL})
    EXPECT_EQ(decode_content_prefix(gzip(), "gzip", limit, false), plain().substr(0, limit)) << limit;
  const std::string cut = gzip().substr(0, 15);
  EXPECT_FALSE(decode_content_prefix(cut, "gzip", 24, false)) << "it claims to be whole";
  const auto beginning = decode_content_prefix(cut, "gzip", 24, true);
  ASSERT_TRUE(beginning);
  EXPECT_TRUE(plain().starts_with(*beginning)) << *beginning;
  EXPECT_FALSE(decode_content_prefix(std::string("\x1f\x8b\xff\xff\xff\xff\xff\xff\xff\xff\xff", 11), "gzip",
                                     9, true));
  EXPECT_FALSE(decode_content_prefix("x", "compress", 9, true));
}

TEST(ContentCoding, ACodingThatWasNotRequested) {
  for (const std::string_view coding : {"zstd", "gzip, br"}) {
    const auto decoded = decode_content("x", coding, 100);
    ASSERT_FALSE(decoded) << coding;
    EXPECT_NE(decoded.error().message.find(coding), std::string::npos) << decoded.error().message;
  }
}

}  // namespace
}  // namespace sheaf::http::message
