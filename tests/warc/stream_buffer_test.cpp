#include "sheaf/warc/compressed_members.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>

namespace sheaf::warc {
namespace {

void write(StreamBuffer& buffer, std::string_view bytes) {
  buffer.make_room(bytes.size());
  std::memcpy(buffer.room().data(), bytes.data(), bytes.size());
  buffer.add(bytes.size());
}

TEST(StreamBuffer, BytesInFrontAndBehind) {
  StreamBuffer buffer(4, 4);
  write(buffer, "cd");
  EXPECT_TRUE(buffer.prepend("ab"));
  EXPECT_FALSE(buffer.prepend("xyz")) << "there is room for two";
  buffer.append("efgh");
  EXPECT_EQ(buffer.bytes(), "abcdefgh");
  buffer.drop(6);
  EXPECT_EQ(buffer.bytes(), "gh");
  buffer.clear(1);
  EXPECT_EQ(buffer.size(), 0U);
  EXPECT_TRUE(buffer.prepend("x"));
  EXPECT_EQ(buffer.bytes(), "x");
}

TEST(StreamBuffer, BehavesLikeAString) {
  std::mt19937 random(1);
  StreamBuffer buffer;
  std::string expected;
  for (int i = 0; i < 5000; ++i) {
    const std::string bytes(random() % 50, static_cast<char>('a' + random() % 26));
    write(buffer, bytes);
    expected += bytes;
    const std::size_t dropped = random() % 60;
    if (dropped <= expected.size()) {
      buffer.drop(dropped);
      expected.erase(0, dropped);
    }
    ASSERT_EQ(buffer.bytes(), expected);
  }
  EXPECT_LT(buffer.capacity(), 4096U) << "dropped bytes are used again";
}

}  // namespace
}  // namespace sheaf::warc
