#include "sheaf/parquet/column_writer.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace sheaf::parquet {
namespace {

using Values = std::vector<std::uint32_t>;

/// Decodes what append_hybrid writes, by the format's description.
class HybridReader {
 public:
  HybridReader(std::string_view bytes, unsigned width) : bytes_(bytes), width_(width) {}

  Values read(std::size_t count) {
    Values values;
    while (values.size() < count) {
      const std::uint64_t header = varint();
      if ((header & 1U) == 0) {
        std::uint32_t value = 0;
        for (unsigned shift = 0; shift < width_; shift += 8) value |= std::uint32_t{byte()} << shift;
        values.insert(values.end(), header >> 1U, value);
      } else {
        packed(header >> 1U, values);
      }
    }
    // Only the last group may be filled up.
    EXPECT_TRUE(bytes_.empty());
    EXPECT_LT(values.size(), count + 8);
    values.resize(count);
    return values;
  }

 private:
  std::uint8_t byte() {
    EXPECT_FALSE(bytes_.empty());
    const auto value = static_cast<std::uint8_t>(bytes_.empty() ? '\0' : bytes_.front());
    bytes_.remove_prefix(bytes_.empty() ? 0 : 1);
    return value;
  }

  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t part = byte();
      value |= std::uint64_t{part & 0x7FU} << shift;
      if (part < 0x80) break;
    }
    return value;
  }

  void packed(std::uint64_t groups, Values& values) {
    std::uint64_t bits = 0;
    unsigned held = 0;
    for (std::uint64_t i = 0; i < groups * 8; ++i) {
      for (; held < width_; held += 8) bits |= std::uint64_t{byte()} << held;
      values.push_back(static_cast<std::uint32_t>(bits & ((std::uint64_t{1} << width_) - 1)));
      bits >>= width_;
      held -= width_;
    }
  }

  std::string_view bytes_;
  unsigned width_;
};

std::string encode(const Values& values, unsigned width) {
  std::string out;
  append_hybrid(out, std::span<const std::uint32_t>(values), width);
  return out;
}

TEST(HybridEncoding, ExamplesOfTheFormat) {
  // The example of the format's description: 0 to 7 in three bits.
  EXPECT_EQ(encode({0, 1, 2, 3, 4, 5, 6, 7}, 3), "\x03\x88\xC6\xFA");
  EXPECT_EQ(encode(Values(100, 1), 1), std::string("\xC8\x01\x01", 3));
  EXPECT_EQ(encode({}, 1), "");
}

TEST(HybridEncoding, Widths) {
  EXPECT_EQ(bit_width(0), 0U);
  EXPECT_EQ(bit_width(1), 1U);
  EXPECT_EQ(bit_width(3), 2U);
  EXPECT_EQ(bit_width(4), 3U);
}

TEST(HybridEncoding, AnyMixtureOfRunsComesBack) {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 400; ++round) {
    const unsigned width = 1 + round % 20;
    Values values;
    const std::size_t runs = random() % 20;
    for (std::size_t i = 0; i < runs; ++i)
      values.insert(values.end(), 1 + random() % (i % 2 == 0 ? 3 : 40),
                    static_cast<std::uint32_t>(random() % (1U << width)));
    EXPECT_EQ(HybridReader(encode(values, width), width).read(values.size()), values) << round;
  }
}

}  // namespace
}  // namespace sheaf::parquet
