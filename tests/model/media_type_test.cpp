#include "sheaf/model/field_values.h"

#include <gtest/gtest.h>

namespace sheaf::model {
namespace {

TEST(SheafOnlyMediaType, AMediaTypeIsKept) {
  EXPECT_EQ(media_type("video/x-own", "https://e.org/v.mp4", "video"), "video/x-own");
}

TEST(SheafOnlyMediaType, AContainerIsOfItsFamily) {
  EXPECT_EQ(media_type("mp4", "https://e.org/v", "video"), "video/mp4");
  EXPECT_EQ(media_type("OGG", "https://e.org/v", "audio"), "audio/ogg");
  EXPECT_EQ(media_type("m4a", "https://e.org/v", "video"), "audio/mp4");
}

TEST(SheafOnlyMediaType, WithoutAFormatTheExtensionDecides) {
  EXPECT_EQ(media_type("", "https://e.org/a.MP3", "audio"), "audio/mpeg");
  EXPECT_EQ(media_type("", "https://e.org/v.webm?x=1.mp4#t", "video"), "video/webm");
  EXPECT_EQ(media_type("", "https://e.org/live.m3u8", "video"), "application/vnd.apple.mpegurl");
}

TEST(SheafOnlyMediaType, UnknownIsOctetStream) {
  EXPECT_EQ(media_type("", "https://e.org/watch", "video"), "application/octet-stream");
  EXPECT_EQ(media_type("", "https://e.mp4/watch", "video"), "application/octet-stream");
  EXPECT_EQ(media_type("", "", "video"), "application/octet-stream");
}

}  // namespace
}  // namespace sheaf::model
