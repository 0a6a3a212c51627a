#include "sheaf/http/message/message_body.h"

#include <gtest/gtest.h>

namespace sheaf::http::message {
namespace {

TEST(ChunkedBody, Whole) {
  const auto body = decode_chunked("5\r\nhello\r\n6;name=value\r\n world\r\n0\r\nTrailer: x\r\n\r\n");
  ASSERT_TRUE(body);
  EXPECT_EQ(body->bytes, "hello world");
  EXPECT_TRUE(body->is_whole);
  EXPECT_EQ(decode_chunked("A \n0123456789\n0\n\n")->bytes, "0123456789") << "line feeds alone";
  EXPECT_TRUE(decode_chunked("0\r\n\r\n")->is_whole);
}

TEST(ChunkedBody, CutOrDamaged) {
  const std::string_view whole = "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n";
  for (std::size_t size = 3; size < 24; ++size) {
    const auto body = decode_chunked(whole.substr(0, size));
    ASSERT_TRUE(body) << size;
    EXPECT_FALSE(body->is_whole) << size;
    EXPECT_TRUE(std::string_view("hello world").starts_with(body->bytes)) << size;
  }
  EXPECT_FALSE(decode_chunked("5\r\nhello!\r\n0\r\n\r\n")->is_whole);
  EXPECT_EQ(decode_chunked("ffffffffffffff\r\nhello")->bytes, "hello");
}

TEST(ChunkedBody, NotChunked) {
  for (const std::string_view text :
       {"", "5", "<html>\r\n", "\r\n", "-1\r\n", "12345678901234567\r\n", "0x5\r\n"})
    EXPECT_FALSE(decode_chunked(text)) << text;
}

}  // namespace
}  // namespace sheaf::http::message
