#include "sheaf/format/codecs/plain_stream.h"

#include "support/collection_text.h"
#include "support/sources.h"

#include <gtest/gtest.h>

namespace sheaf::format {
namespace {

using test::compress;
using test::noise;
using test::scripted;

struct Streamed {
  std::string plain;
  std::string code;  ///< of the error, or empty
  std::uint64_t offset = 0;
  std::uint64_t compressed = 0;
  Codec codec = Codec::plain;
};

Streamed stream(std::unique_ptr<base::ByteSource> source, const Limits& limits = {},
                std::size_t step = 64 * 1024) {
  PlainStream plain(std::move(source), limits);
  Streamed result;
  std::string room(step, '\0');
  while (true) {
    const auto count = plain.fill(room);
    result.codec = plain.codec();
    result.compressed = plain.compressed_bytes();
    if (!count) {
      result.code = to_string(count.error().code);
      result.offset = count.error().offset;
      EXPECT_EQ(count.error().line, 0U);
      EXPECT_FALSE(count.error().message.empty());
      return result;
    }
    result.plain.append(room, 0, *count);
    if (*count < room.size()) break;
  }
  EXPECT_EQ(plain.plain_bytes(), result.plain.size());
  return result;
}

test::SourceScript sized(const std::string& bytes, std::size_t piece = SIZE_MAX) {
  return {piece, bytes.size(), std::nullopt};
}

/// Plain text that packs into some size; `packed_at` finds the plain size for a given ratio.
std::string zeros(std::size_t size) { return std::string(size, ' '); }

TEST(SpecPlainStream, ReadsEveryCodecAtAnyPace) {
  const std::string plain = noise(300'000) + zeros(1000);
  for (const Codec codec : {Codec::gzip, Codec::zstd}) {
    const std::string packed = compress(codec, plain);
    for (const std::size_t piece : {std::size_t{1000}, SIZE_MAX})
      for (const std::size_t step : {std::size_t{999}, plain.size(), plain.size() + 1}) {
        const Streamed streamed = stream(scripted(packed, sized(packed, piece)), {}, step);
        EXPECT_EQ(streamed.code, "");
        EXPECT_EQ(streamed.plain, plain);
        EXPECT_EQ(streamed.compressed, packed.size());
        EXPECT_EQ(streamed.codec, codec);
      }
  }
  const std::string text = "{plain}";
  EXPECT_EQ(stream(scripted(text, sized(text, 1)), {}, 2).plain, text);
}

TEST(SheafOnlyPlainStream, DetectsTheCodecEvenOneByteAtATime) {
  for (const Codec codec : {Codec::plain, Codec::gzip, Codec::zstd}) {
    const Streamed streamed = stream(scripted(compress(codec, "some text"), {1, std::nullopt, std::nullopt}));
    EXPECT_EQ(streamed.codec, codec);
    EXPECT_EQ(streamed.plain, "some text");
  }
}

TEST(SheafOnlyPlainStream, EmptyAndTinyFilesArePlain) {
  for (const std::string text : {"", "x", "\x1f", "\x28\xb5\x2f"}) {
    const Streamed streamed = stream(scripted(text));
    EXPECT_EQ(streamed.plain, text);
    EXPECT_EQ(streamed.codec, Codec::plain);
  }
}

// Readings, table: decompress-failed, corrupt, truncated or unknown compressed data.
TEST(SpecPlainStream, DamageAndTruncationAreErrors) {
  for (const Codec codec : {Codec::gzip, Codec::zstd}) {
    const std::string packed = compress(codec, noise(5000));
    EXPECT_EQ(stream(scripted(packed.substr(0, packed.size() - 1))).code, "decompress-failed");
    EXPECT_EQ(stream(scripted(packed + "garbage")).code, "decompress-failed");
    std::string damaged = packed;
    damaged[packed.size() - 2] = static_cast<char>(damaged[packed.size() - 2] ^ 1);
    EXPECT_EQ(stream(scripted(damaged)).code, "decompress-failed");
  }
}

// Readings, table: size-exceeded, over 50 GiB compressed or 500 GiB decompressed (here lowered by option).
TEST(SpecPlainStream, SizesUpToTheLimitPassAndOverItFail) {
  const std::string plain = noise(1000);
  for (const Codec codec : {Codec::plain, Codec::gzip, Codec::zstd}) {
    const std::string packed = compress(codec, plain);
    Limits limits;
    limits.compressed_bytes = packed.size();
    limits.decompressed_bytes = plain.size();
    EXPECT_EQ(stream(scripted(packed), limits).code, "") << to_string(codec);
    limits.compressed_bytes = packed.size() - 1;
    EXPECT_EQ(stream(scripted(packed), limits).code, "size-exceeded") << to_string(codec);
    limits = {};
    limits.decompressed_bytes = plain.size() - 1;
    EXPECT_EQ(stream(scripted(packed), limits).code, "size-exceeded") << to_string(codec);
  }
}

// Readings, "Limits": the ratio is decompressed bytes over the whole compressed size where that is known.
TEST(SpecPlainStream, ExactlyTheRatioPassesWithAKnownSize) {
  const std::string plain = noise(4000) + zeros(2 << 20);
  for (const Codec codec : {Codec::gzip, Codec::zstd}) {
    const std::string packed = compress(codec, plain);
    ASSERT_GT(plain.size() / packed.size(), 100U);
    const std::uint64_t whole = (plain.size() + 99) / 100;
    // A source that states its size: exactly 100:1 passes, one byte less of input does not.
    EXPECT_EQ(stream(scripted(packed, {SIZE_MAX, whole, std::nullopt})).code, "") << to_string(codec);
    EXPECT_EQ(stream(scripted(packed, {SIZE_MAX, whole - 1, std::nullopt})).code, "ratio-exceeded")
        << to_string(codec);
    EXPECT_EQ(stream(scripted(packed, sized(packed))).code, "ratio-exceeded") << to_string(codec);
  }
}

/// `packed` made longer by a skippable frame, up to exactly `size` bytes.
std::string pad_zstd(std::string packed, std::size_t size) {
  const std::size_t content = size - packed.size() - 8;
  packed += "\x50\x2a\x4d\x18";
  for (int i = 0; i < 4; ++i) packed += static_cast<char>(content >> 8 * i);
  return packed + std::string(content, '\0');
}

// 100:1 to the byte, whether the size was known or all of the file had been read.
TEST(SpecPlainStream, ExactlyTheRatioPassesHoweverTheSizeIsKnown) {
  const std::string plain = zeros(2'000'000);
  const std::string packed = compress(Codec::zstd, plain);
  for (const std::optional<std::uint64_t> stated :
       {std::optional<std::uint64_t>(20'000), std::optional<std::uint64_t>()})
    EXPECT_EQ(stream(scripted(pad_zstd(packed, 20'000), {SIZE_MAX, stated, std::nullopt})).code, "");
  for (const std::optional<std::uint64_t> stated :
       {std::optional<std::uint64_t>(19'999), std::optional<std::uint64_t>()})
    EXPECT_EQ(stream(scripted(pad_zstd(packed, 19'999), {SIZE_MAX, stated, std::nullopt})).code,
              "ratio-exceeded");
}

// Readings, "Limits": ... else over what has been read so far.
TEST(SpecPlainStream, RatioOverWhatHasBeenReadWhereTheSizeIsUnknown) {
  const std::string bomb = zeros(2 << 20);
  const std::string rest = noise(300'000);
  const std::string packed = compress(Codec::gzip, bomb + rest);
  // Known: the noise after it makes the whole file harmless. Unknown: the stretch of zeros looks like a bomb.
  EXPECT_EQ(stream(scripted(packed, sized(packed))).code, "");
  EXPECT_EQ(stream(scripted(packed, {1000, std::nullopt, std::nullopt})).code, "ratio-exceeded");
  EXPECT_EQ(stream(scripted(compress(Codec::gzip, rest + bomb), {1000, std::nullopt, std::nullopt})).code,
            "");
}

// Readings, "Limits": it is checked from the first MiB of output on.
TEST(SpecPlainStream, RatioIsJudgedFromTheFirstMiBOn) {
  for (const Codec codec : {Codec::gzip, Codec::zstd}) {
    EXPECT_EQ(stream(base::buffer_source(compress(codec, zeros((1 << 20) - 1)))).code, "")
        << to_string(codec);
    EXPECT_EQ(stream(base::buffer_source(compress(codec, zeros(1 << 20)))).code, "ratio-exceeded")
        << to_string(codec);
  }
  Limits limits;
  limits.ratio_from = 1000;
  const std::string small = compress(Codec::zstd, zeros(10'000));
  EXPECT_EQ(stream(base::buffer_source(small), limits).code, "ratio-exceeded");
  limits.ratio = 10'000;
  EXPECT_EQ(stream(base::buffer_source(small), limits).code, "");
}

TEST(SpecPlainStream, PlainFilesHaveNoRatio) {
  const std::string text = zeros(2 << 20);
  EXPECT_EQ(stream(scripted(text, {SIZE_MAX, 1, std::nullopt})).code, "");
}

TEST(SpecLimits, RatioBoundaryIsExact) {
  const Limits limits;
  EXPECT_FALSE(exceeds_ratio(kMiB - 1, 1, limits));
  EXPECT_TRUE(exceeds_ratio(kMiB, 1, limits));
  EXPECT_FALSE(exceeds_ratio(200'000'000, 2'000'000, limits));
  EXPECT_TRUE(exceeds_ratio(200'000'001, 2'000'000, limits));
  EXPECT_FALSE(exceeds_ratio(199'999'999, 2'000'000, limits));
  EXPECT_TRUE(exceeds_ratio(~std::uint64_t{0}, 1000, limits));
  EXPECT_FALSE(exceeds_ratio(~std::uint64_t{0}, ~std::uint64_t{0}, limits));
  EXPECT_TRUE(exceeds_ratio(kMiB, 0, limits));
}

TEST(SheafOnlyPlainStream, ReadErrorsAreDistinguishedFromDamage) {
  const std::string packed = compress(Codec::zstd, noise(500'000));
  for (const std::size_t at : {std::size_t{0}, std::size_t{2}, std::size_t{1000}, packed.size()}) {
    const Streamed streamed = stream(scripted(packed, {SIZE_MAX, packed.size(), at}));
    EXPECT_EQ(streamed.code, "read-failed") << at;
  }
  EXPECT_EQ(stream(scripted("plain text", {SIZE_MAX, std::nullopt, 5})).code, "read-failed");
}

TEST(SheafOnlyPlainStream, TheFirstFaultMetIsTheOneReported) {
  Limits limits;
  limits.compressed_bytes = 1000;
  const std::string packed = compress(Codec::gzip, noise(5000));
  // The compressed limit is met while reading, before the damage at the end and before a later read error.
  EXPECT_EQ(stream(scripted(packed + "garbage", {100, std::nullopt, std::nullopt}), limits).code,
            "size-exceeded");
  EXPECT_EQ(stream(scripted(packed, {100, std::nullopt, 2000}), limits).code, "size-exceeded");
  EXPECT_EQ(stream(scripted(packed, {100, std::nullopt, 500}), limits).code, "read-failed");
  // A bomb is refused before its damaged end is looked at.
  const std::string bomb = compress(Codec::gzip, zeros(8 << 20));
  EXPECT_EQ(stream(scripted(bomb.substr(0, bomb.size() - 4), sized(bomb))).code, "ratio-exceeded");
}

TEST(SheafOnlyPlainStream, BombsAreRefusedLongBeforeTheirEnd) {
  const std::string bomb = compress(Codec::zstd, zeros(64 << 20));
  const Streamed streamed = stream(scripted(bomb, sized(bomb)));
  EXPECT_EQ(streamed.code, "ratio-exceeded");
  EXPECT_LE(streamed.plain.size(), 1U << 20);
  EXPECT_LE(streamed.offset, 2U << 20);
}

}  // namespace
}  // namespace sheaf::format
