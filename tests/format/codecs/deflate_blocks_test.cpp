#define ZLIB_CONST  // next_in points to const bytes
#include "sheaf/format/codecs/deflate_blocks_internal.h"
#include "support/collection_text.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>

namespace sheaf::format {
namespace {

using test::noise;

std::string deflate_whole(std::string_view plain, int level, int strategy) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, level, Z_DEFLATED, -15, 8, strategy), Z_OK);
  std::string out(deflateBound(&stream, static_cast<uLong>(plain.size())), '\0');
  stream.next_in = reinterpret_cast<const Bytef*>(plain.data());
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

struct Inflated {
  std::string plain;
  LastBlock last;
  bool whole = false;
};

/// By zlib, which tells where blocks end.
Inflated inflate_by_block(std::string_view deflated, std::size_t room) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, -15), Z_OK);
  Inflated result{std::string(room + 1, '\0'), {}, false};
  stream.next_in = reinterpret_cast<const Bytef*>(deflated.data());
  stream.avail_in = static_cast<uInt>(deflated.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.plain.data());
  stream.avail_out = static_cast<uInt>(result.plain.size());
  for (bool last = false; !last;) {
    result.last.begin = result.last.end;
    if (inflate(&stream, Z_BLOCK) != Z_OK) break;
    const auto unused = static_cast<unsigned>(stream.data_type);
    if ((unused & 128U) == 0) break;
    result.last.end = 8 * stream.total_in - (unused & 7U);
    last = (unused & 64U) != 0;
  }
  result.whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_in == 0;
  result.plain.resize(stream.total_out);
  inflateEnd(&stream);
  return result;
}

/// Words of every length of code, runs, far repetitions, and bytes that do not compress.
std::string mixture(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < size) switch (random() % 4) {
      case 0: text += std::string(random() % 700, static_cast<char>(random() % 256)); break;
      case 1: text += noise(random() % 300, seed); break;
      case 2: text += std::to_string(random()) + "," + std::to_string(random() % 1000); break;
      default:
        if (!text.empty()) text += text.substr(random() % text.size(), random() % 400);
    }
  text.resize(size);
  return text;
}

TEST(SheafOnlyDeflateBlocks, TheLastOneIsWhereZlibFindsIt) {
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, std::size_t{500}, std::size_t{70'000}, std::size_t{400'000}})
    for (const int level : {0, 1, 6, 9})
      for (const int strategy : {Z_DEFAULT_STRATEGY, Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE}) {
        const std::string plain = mixture(size, static_cast<unsigned>(size) + 1);
        const std::string deflated = deflate_whole(plain, level, strategy);
        const Inflated inflated = inflate_by_block(deflated, size);
        ASSERT_TRUE(inflated.whole);
        const auto last = find_last_block(deflated, size);
        ASSERT_TRUE(last) << size << " bytes, level " << level << ", strategy " << strategy;
        EXPECT_EQ(last->end, inflated.last.end);
        if (level > 0) {
          EXPECT_EQ(last->begin, inflated.last.begin);  // stored blocks: zlib tells no begin
        }
        EXPECT_FALSE(find_last_block(deflated, size + 1));
      }
}

TEST(SheafOnlyDeflateBlocks, StreamsThatAreLeftOpenFollowOneAnother) {
  std::string joined;
  std::string plain;
  for (unsigned i = 0; i < 40; ++i) {
    const std::string part = mixture(std::size_t{997} * i, i);
    std::string deflated = deflate_whole(part, static_cast<int>(i % 10), Z_DEFAULT_STRATEGY);
    if (i < 39) {
      const auto last = find_last_block(deflated, part.size());
      ASSERT_TRUE(last);
      leave_open(deflated, *last);
    }
    joined += deflated;
    plain += part;
  }
  const Inflated inflated = inflate_by_block(joined, plain.size());
  EXPECT_TRUE(inflated.whole);
  EXPECT_EQ(inflated.plain, plain);
}

TEST(SheafOnlyDeflateBlocks, DamagedDataHasNoBlocks) {
  const std::string plain = mixture(20'000, 5);
  const std::string deflated = deflate_whole(plain, 6, Z_DEFAULT_STRATEGY);
  EXPECT_FALSE(find_last_block({}, 0));
  EXPECT_FALSE(find_last_block(deflated + '\0', plain.size()));
  for (std::size_t size = 0; size < deflated.size(); ++size)
    EXPECT_FALSE(find_last_block(std::string_view(deflated).substr(0, size), plain.size())) << size;
  for (std::size_t bit = 0; bit < 4000; ++bit) {  // of the header: mostly no code any more, never a crash
    std::string damaged = deflated;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    if (const auto last = find_last_block(damaged, plain.size())) {
      EXPECT_LE(last->end, 8 * damaged.size());
    }
  }
  for (unsigned seed = 0; seed < 2000; ++seed) (void)find_last_block(noise(200, seed), 1000);
}

}  // namespace
}  // namespace sheaf::format
