#include "sheaf/base/record.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace sheaf::base {
namespace {

TEST(Record, FieldsGoBothWays) {
  const std::array<std::uint8_t, 4> digest = {1, 2, 3, 255};
  const std::string bytes = RecordWriter()
                                .number(0)
                                .number(127)
                                .number(128)
                                .number(UINT64_MAX)
                                .signed_number(-1)
                                .signed_number(INT64_MIN)
                                .text("")
                                .text("text")
                                .time({-5, 7})
                                .optional_time(std::nullopt)
                                .optional_time(Instant{9, 0})
                                .digest(digest)
                                .bytes();
  RecordReader in(bytes);
  EXPECT_EQ(in.number(), 0U);
  EXPECT_EQ(in.number(), 127U);
  EXPECT_EQ(in.number(), 128U);
  EXPECT_EQ(in.number(), UINT64_MAX);
  EXPECT_EQ(in.signed_number(), -1);
  EXPECT_EQ(in.signed_number(), INT64_MIN);
  EXPECT_EQ(in.text(), "");
  EXPECT_EQ(in.text(), "text");
  EXPECT_EQ(in.time(), (Instant{-5, 7}));
  EXPECT_EQ(in.optional_time(), std::nullopt);
  EXPECT_EQ(in.optional_time(), (Instant{9, 0}));
  EXPECT_EQ(in.digest<4>(), digest);
  EXPECT_TRUE(in.good());
}

TEST(Record, EveryTruncationIsDetected) {
  const std::string bytes =
      RecordWriter().number(300).text("text").digest(std::array<std::uint8_t, 2>{7, 8}).bytes();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    RecordReader in(std::string_view(bytes).substr(0, size));
    in.number();
    in.text();
    in.digest<2>();
    EXPECT_FALSE(in.good()) << size;
  }
  const std::string more = bytes + "x";
  RecordReader longer(more);
  longer.number();
  longer.text();
  longer.digest<2>();
  EXPECT_FALSE(longer.good());
  const std::string ones(20, '\xFF');
  RecordReader endless(ones);
  endless.number();
  EXPECT_FALSE(endless.good());
}

// Stores, catalogs and crawl notes on disk hold these bytes.
TEST(Record, BytesStayTheSame) {
  using namespace std::string_literals;
  EXPECT_EQ(RecordWriter().number(300).signed_number(-2).text("ab").bytes(),
            "\xAC\x02\x03\x02"
            "ab"s);
  EXPECT_EQ(RecordWriter().time({1, 2}).optional_time(Instant{1, 2}).optional_time({}).bytes(),
            "\x02\x02\x01\x02\x02\x00"s);
}

}  // namespace
}  // namespace sheaf::base
