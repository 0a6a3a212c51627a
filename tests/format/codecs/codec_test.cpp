#define ZLIB_CONST  // next_in points to const bytes
#include "sheaf/format/codecs/codec.h"

#include "support/collection_text.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <functional>
#include <random>

namespace sheaf::format {
namespace {

using test::compress;
using test::noise;

struct Decoded {
  std::string plain;
  bool good = false;    ///< no error, and the input may end here
  std::string message;  ///< of the error
};

/// Decodes all of `in`, `in_step` bytes at a time into pieces of `out_step` bytes.
Decoded decode(Decoder& decoder, std::string_view in, std::size_t in_step = SIZE_MAX,
               std::size_t out_step = 4096) {
  Decoded result;
  std::string room(out_step, '\0');
  std::size_t at = 0;
  std::size_t end = std::min(in.size(), in_step);
  while (true) {
    const auto step = decoder.decode(in.substr(at, end - at), room);
    if (!step) {
      result.message = step.error().message;
      EXPECT_EQ(step.error().code, base::Errc::invalid_data);
      return result;
    }
    EXPECT_LE(step->consumed, end - at);
    EXPECT_LE(step->produced, room.size());
    result.plain.append(room, 0, step->produced);
    at += step->consumed;
    if (step->consumed == 0 && step->produced == 0) {
      if (end == in.size()) break;
      end += std::min(in_step, in.size() - end);
    }
  }
  result.good = at == in.size() && decoder.may_end();
  return result;
}

Decoded decode_isal(std::string_view in, std::size_t in_step = SIZE_MAX, std::size_t out_step = 4096) {
  return decode(*make_gzip_decoder(), in, in_step, out_step);
}
Decoded decode_zlib(std::string_view in, std::size_t in_step = SIZE_MAX, std::size_t out_step = 4096) {
  return decode(*make_zlib_gzip_decoder(), in, in_step, out_step);
}
Decoded decode_zstd(std::string_view in, std::size_t in_step = SIZE_MAX, std::size_t out_step = 4096) {
  return decode(*make_zstd_decoder(), in, in_step, out_step);
}

/// Both gzip decoders, which must agree on verdict and bytes.
Decoded decode_gzip(std::string_view in, std::size_t in_step = SIZE_MAX, std::size_t out_step = 4096) {
  const Decoded isal = decode_isal(in, in_step, out_step);
  const Decoded zlib = decode_zlib(in, in_step, out_step);
  EXPECT_EQ(isal.good, zlib.good) << "isal: " << isal.message << " zlib: " << zlib.message;
  if (isal.good && zlib.good) {
    EXPECT_EQ(isal.plain, zlib.plain);
  }
  return isal;
}

const std::string& sample() {
  static const std::string text = [] {
    std::string result = "{\"collection\":{}}\n";
    for (int i = 0; i < 40; ++i)
      result += "{\"url\":\"https://example.com/" + std::to_string(i * 7919) + "\"}\n";
    return result + noise(100);
  }();
  return text;
}

/// A gzip member with header fields that zlib's deflate writes on request.
std::string gzip_with_header(std::string_view plain, gz_header header) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  EXPECT_EQ(deflateSetHeader(&stream, &header), Z_OK);
  std::string out(plain.size() + 2000, '\0');
  std::string in(plain);
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// FEXTRA, FNAME, FCOMMENT and FHCRC as the bits of `fields` say.
std::string gzip_with_fields(std::string_view plain, unsigned fields, std::size_t name_size = 5) {
  std::string extra = noise(70, 3);
  std::string name(name_size, 'n');
  std::string comment = "a comment";
  gz_header header{};
  header.os = 3;
  header.time = 12345;
  if ((fields & 1U) != 0) {
    header.extra = reinterpret_cast<Bytef*>(extra.data());
    header.extra_len = static_cast<uInt>(extra.size());
  }
  if ((fields & 2U) != 0) header.name = reinterpret_cast<Bytef*>(name.data());
  if ((fields & 4U) != 0) header.comment = reinterpret_cast<Bytef*>(comment.data());
  header.hcrc = (fields & 8U) != 0 ? 1 : 0;
  return gzip_with_header(plain, header);
}

TEST(SpecGzip, RoundTripsAtEveryPaceOfInputAndOutput) {
  const std::string packed = compress(Codec::gzip, sample());
  for (const std::size_t in_step : {std::size_t{1}, std::size_t{2}, std::size_t{7}, SIZE_MAX})
    for (const std::size_t out_step :
         {std::size_t{1}, std::size_t{3}, std::size_t{100}, std::size_t{100'000}}) {
      const Decoded decoded = decode_gzip(packed, in_step, out_step);
      EXPECT_TRUE(decoded.good) << in_step << " " << out_step;
      EXPECT_EQ(decoded.plain, sample()) << in_step << " " << out_step;
    }
}

// "Multi-member gzip": concatenated members are one stream.
TEST(SpecGzip, MembersFollowOneAnother) {
  const std::string packed = compress(Codec::gzip, "one ") + compress(Codec::gzip, "") +
                             compress(Codec::gzip, sample(), 9) + compress(Codec::gzip, " four", 1);
  for (const std::size_t in_step : {std::size_t{1}, std::size_t{13}, SIZE_MAX})
    for (const std::size_t out_step : {std::size_t{1}, std::size_t{4}, std::size_t{5000}}) {
      const Decoded decoded = decode_gzip(packed, in_step, out_step);
      EXPECT_TRUE(decoded.good);
      EXPECT_EQ(decoded.plain, "one " + sample() + " four");
    }
}

TEST(SpecGzip, StoredAndFixedBlocksAreRead) {
  const std::string large = noise(200'000);
  for (const int level : {0, 1, 6, 9}) {
    const Decoded decoded = decode_gzip(compress(Codec::gzip, large, level), 1000, 777);
    EXPECT_TRUE(decoded.good);
    EXPECT_EQ(decoded.plain, large);
  }
}

// Readings, table: decompress-failed, truncated compressed data.
TEST(SpecGzip, TruncationAtAnyByteIsDetected) {
  const std::string packed = gzip_with_fields(sample(), 15) + compress(Codec::gzip, "second");
  const std::size_t first_end = gzip_with_fields(sample(), 15).size();
  for (std::size_t size = 1; size < packed.size(); ++size) {
    const Decoded decoded = decode_gzip(std::string_view(packed).substr(0, size));
    EXPECT_EQ(decoded.good, size == first_end) << size;
  }
}

TEST(SpecGzip, HeaderFieldsArePassedOver) {
  for (unsigned fields = 0; fields < 16; ++fields)
    for (const std::size_t in_step : {std::size_t{1}, std::size_t{5}, SIZE_MAX}) {
      const Decoded decoded =
          decode_gzip(gzip_with_fields(sample(), fields) + gzip_with_fields("again", fields), in_step);
      EXPECT_TRUE(decoded.good) << fields << " step " << in_step << ": " << decoded.message;
      EXPECT_EQ(decoded.plain, sample() + "again") << fields;
    }
}

TEST(SpecGzip, LongHeaderFieldsArePassedOver) {
  for (const std::size_t in_step : {std::size_t{1}, std::size_t{100}, SIZE_MAX}) {
    const Decoded decoded = decode_gzip(gzip_with_fields("x", 15, 1800), in_step);
    EXPECT_TRUE(decoded.good) << decoded.message;
    EXPECT_EQ(decoded.plain, "x");
  }
}

// Readings, table: decompress-failed, garbage after the last member/frame.
TEST(SpecGzip, GarbageAfterTheLastMemberIsAnError) {
  const std::string packed = compress(Codec::gzip, sample());
  for (const std::string& garbage :
       {std::string("garbage"), std::string(1, '\0'), std::string("\x1f"), std::string("\x1f\x8b"),
        std::string("\x1f\x8c"), std::string(512, '\0'), compress(Codec::zstd, "x")})
    for (const std::size_t in_step : {std::size_t{1}, SIZE_MAX})
      EXPECT_FALSE(decode_gzip(packed + garbage, in_step).good);
  EXPECT_NE(decode_isal(packed + "garbage, and more of it").message.find("garbage after the last member"),
            std::string::npos);
  EXPECT_NE(decode_zlib(packed + "garbage, and more of it").message.find("garbage after the last member"),
            std::string::npos);
}

// Every single bit flipped: the two decoders agree, and accepted output is right (some header bytes are not
// checked).
TEST(SheafOnlyGzip, DecodersAgreeOnEveryFlippedBit) {
  const std::string packed = gzip_with_fields(sample().substr(0, 400), 10);
  int passed = 0;
  for (std::size_t bit = 0; bit < packed.size() * 8; ++bit) {
    std::string damaged = packed;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    const Decoded isal = decode_isal(damaged);
    const Decoded zlib = decode_zlib(damaged);
    EXPECT_EQ(isal.good, zlib.good) << "bit " << bit << " isal: " << isal.message
                                    << " zlib: " << zlib.message;
    if (isal.good) {
      ++passed;
      EXPECT_EQ(isal.plain, sample().substr(0, 400)) << bit;
    }
  }
  // The header has a checksum of its own here; only the bits that fill up deflate's last byte mean nothing.
  EXPECT_LT(passed, 8);
}

TEST(SheafOnlyGzip, DecodersAgreeOnRandomDamage) {
  std::mt19937 random(11);
  const std::string packed = compress(Codec::gzip, sample(), 6) + compress(Codec::gzip, sample(), 0) +
                             compress(Codec::gzip, sample(), 1);
  for (int i = 0; i < 2000; ++i) {
    std::string damaged = packed;
    for (std::size_t n = 1 + random() % 3; n > 0; --n) {
      const std::size_t at = random() % damaged.size();
      switch (random() % 3) {
        case 0: damaged[at] = static_cast<char>(random()); break;
        case 1: damaged.erase(at, 1 + random() % 4); break;
        default: damaged.insert(at, 1, static_cast<char>(random())); break;
      }
    }
    const Decoded isal = decode_isal(damaged);
    const Decoded zlib = decode_zlib(damaged);
    ASSERT_EQ(isal.good, zlib.good) << i << " isal: " << isal.message << " zlib: " << zlib.message;
    if (isal.good) {
      ASSERT_EQ(isal.plain, zlib.plain) << i;
    }
  }
}

TEST(SheafOnlyGzip, UnknownMethodAndReservedFlagsAreRefused) {
  std::string packed = compress(Codec::gzip, "x");
  packed[2] = 7;
  EXPECT_FALSE(decode_gzip(packed).good);
  for (const int flag : {0x20, 0x40, 0x80}) {
    packed = compress(Codec::gzip, "x");
    packed[3] = static_cast<char>(flag);
    EXPECT_FALSE(decode_gzip(packed).good) << flag;
  }
}

std::string skippable(int kind, std::string_view content) {
  std::string frame = {static_cast<char>(0x50 + kind), 0x2a, 0x4d, 0x18};
  for (int i = 0; i < 4; ++i) frame += static_cast<char>(content.size() >> 8 * i);
  return frame + std::string(content);
}

TEST(SpecZstd, RoundTripsAtEveryPaceOfInputAndOutput) {
  const std::string packed = compress(Codec::zstd, sample());
  for (const std::size_t in_step : {std::size_t{1}, std::size_t{7}, SIZE_MAX})
    for (const std::size_t out_step :
         {std::size_t{1}, std::size_t{3}, sample().size(), std::size_t{100'000}}) {
      const Decoded decoded = decode_zstd(packed, in_step, out_step);
      EXPECT_TRUE(decoded.good) << in_step << " " << out_step;
      EXPECT_EQ(decoded.plain, sample());
    }
}

// Concatenated zstd frames (skippable ones too) count as one stream.
TEST(SpecZstd, FramesAndSkippableFramesFollowOneAnother) {
  const std::string one = compress(Codec::zstd, "one ");
  const std::string two = compress(Codec::zstd, sample(), 19);
  const std::string packed = skippable(0, "first") + one + skippable(15, "") + skippable(7, noise(5000)) +
                             two + skippable(3, "last");
  for (const std::size_t in_step : {std::size_t{1}, std::size_t{100}, SIZE_MAX}) {
    const Decoded decoded = decode_zstd(packed, in_step, 64);
    EXPECT_TRUE(decoded.good) << in_step << decoded.message;
    EXPECT_EQ(decoded.plain, "one " + sample());
  }
  EXPECT_TRUE(decode_zstd(skippable(1, "only this")).good);
}

TEST(SpecZstd, TruncationAtAnyByteIsDetected) {
  const std::string first = compress(Codec::zstd, sample());
  const std::string packed = first + skippable(2, "skipped") + compress(Codec::zstd, "second");
  const std::size_t second = first.size() + skippable(2, "skipped").size();
  for (std::size_t size = 1; size < packed.size(); ++size)
    EXPECT_EQ(decode_zstd(std::string_view(packed).substr(0, size)).good,
              size == first.size() || size == second)
        << size;
}

TEST(SpecZstd, ChecksumOfTheFrameIsVerified) {
  std::string packed = compress(Codec::zstd, sample());
  packed.back() = static_cast<char>(packed.back() ^ 1);
  const Decoded decoded = decode_zstd(packed);
  EXPECT_FALSE(decoded.good);
  EXPECT_NE(decoded.message.find("checksum"), std::string::npos) << decoded.message;
}

TEST(SpecZstd, GarbageAfterTheLastFrameIsAnError) {
  const std::string packed = compress(Codec::zstd, sample());
  for (const std::string& garbage : {std::string("garbage"), std::string(1, '\0'), std::string("\x28"),
                                     std::string("\x28\xb5\x2f"), compress(Codec::gzip, "x")})
    for (const std::size_t in_step : {std::size_t{1}, SIZE_MAX})
      EXPECT_FALSE(decode_zstd(packed + garbage, in_step).good);
  EXPECT_NE(decode_zstd(packed + "garbage").message.find("garbage after the last frame"), std::string::npos);
}

// A damaged bit is found by zstd itself or by the frame's checksum; it never gives other bytes.
TEST(SheafOnlyZstd, AFlippedBitNeverGivesOtherBytes) {
  const std::string packed = compress(Codec::zstd, sample().substr(0, 300));
  for (std::size_t bit = 0; bit < packed.size() * 8; ++bit) {
    std::string damaged = packed;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    const Decoded decoded = decode_zstd(damaged);
    // A bit can turn the frame into a skippable one (nothing comes out) or switch its checksum off (garbage
    // follows).
    if (decoded.good) {
      EXPECT_TRUE(decoded.plain == sample().substr(0, 300) || decoded.plain.empty()) << bit;
    }
  }
}

std::string zstd_with_window(int window_log, std::string_view plain) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, window_log);
  std::string out;
  std::string room(ZSTD_CStreamOutSize(), '\0');
  ZSTD_inBuffer in{plain.data(), plain.size(), 0};
  // Two calls, so that the frame's header cannot state the size and shrink the window to it.
  for (const ZSTD_EndDirective directive : {ZSTD_e_flush, ZSTD_e_end}) {
    std::size_t left = 1;
    while (left != 0) {
      ZSTD_outBuffer piece{room.data(), room.size(), 0};
      left = ZSTD_compressStream2(context, &piece, &in, directive);
      EXPECT_EQ(ZSTD_isError(left), 0U);
      out.append(room, 0, piece.pos);
    }
  }
  ZSTD_freeCCtx(context);
  return out;
}

// A decoder allocates nothing by the input's word but zstd's window, which is capped at 128 MiB.
TEST(SheafOnlyZstd, WindowOver128MiBIsRefused) {
  const Decoded small = decode_zstd(zstd_with_window(20, "x"));
  EXPECT_TRUE(small.good);
  // The header alone: one byte of descriptor without a stated size, then the window of 2^28 and 2^27 bytes.
  const std::string magic = "\x28\xb5\x2f\xfd";
  EXPECT_FALSE(decode_zstd(magic + std::string({0x00, static_cast<char>((28 - 10) << 3)}) +
                           std::string("\x01\x00\x00", 3))
                   .good);
  const Decoded too_large = decode_zstd(magic + std::string({0x00, static_cast<char>((28 - 10) << 3)}) +
                                        std::string("\x01\x00\x00", 3));
  EXPECT_FALSE(too_large.message.empty());
  const Decoded largest = decode_zstd(magic + std::string({0x00, static_cast<char>((27 - 10) << 3)}) +
                                      std::string("\x01\x00\x00", 3));
  EXPECT_TRUE(largest.good) << largest.message;
}

// Readings, "HTTP": bodies are recognised by their magic bytes (1f 8b, 28 b5 2f fd), not by header or
// extension.
TEST(SpecCodec, IsDetectedByMagicBytes) {
  EXPECT_EQ(sniff_codec("\x1f\x8b"), Codec::gzip);
  EXPECT_EQ(sniff_codec("\x1f\x8b\x08\x00"), Codec::gzip);
  EXPECT_EQ(sniff_codec("\x28\xb5\x2f\xfd"), Codec::zstd);
  for (int kind = 0; kind < 16; ++kind) EXPECT_EQ(sniff_codec(skippable(kind, "x")), Codec::zstd);
  for (const std::string_view text : {"", "\x1f", "\x1f\x8c", "\x28\xb5\x2f", "\x28\xb5\x2f\xfe",
                                      "\x60\x2a\x4d\x18", "\x50\x2a\x4d", "{\"co", "\xef\xbb\xbf{"})
    EXPECT_EQ(sniff_codec(text), Codec::plain) << text;
}

TEST(SheafOnlyCodec, NamesAndExtensions) {
  EXPECT_EQ(codec_for_path("a.scp"), Codec::plain);
  EXPECT_EQ(codec_for_path("/x/a.scp.gz"), Codec::gzip);
  EXPECT_EQ(codec_for_path("a.scp.zst"), Codec::zstd);
  EXPECT_EQ(codec_for_path("a.gz"), Codec::gzip);
  EXPECT_EQ(codec_for_path("a.zst"), Codec::zstd);
  for (const std::string_view path : {"", "a", "scp", "a.scp.bz2", "a.SCP", "a.scp/", "a.scp.gz.txt"})
    EXPECT_EQ(codec_for_path(path), std::nullopt) << path;
  for (const Codec codec : {Codec::plain, Codec::gzip, Codec::zstd}) {
    EXPECT_EQ(codec_for_path("x" + std::string(extension_of(codec))), codec);
    EXPECT_FALSE(to_string(codec).empty());
  }
}

TEST(SpecEncoder, ThreadsDoNotChangeTheBytes) {
  std::string large;
  for (int i = 0; large.size() < 10'000'000; ++i) large += sample() + std::to_string(i * i);
  for (const Codec codec : {Codec::gzip, Codec::zstd}) {
    std::string first;
    for (const unsigned threads : {1U, 2U, 5U}) {
      std::string packed;
      const auto encoder = make_encoder(codec, 3, threads);
      for (std::size_t at = 0; at < large.size(); at += 700'000)
        ASSERT_TRUE(encoder->encode(std::string_view(large).substr(at, 700'000), Flush::more, packed));
      ASSERT_TRUE(encoder->encode({}, Flush::end, packed));
      const Decoded decoded = decode(*make_decoder(codec), packed);
      EXPECT_TRUE(decoded.good);
      EXPECT_EQ(decoded.plain == large, true);
      if (first.empty()) first = packed;
      EXPECT_EQ(packed == first, true) << threads;
    }
    // One frame: many readers stop after the first.
    if (codec == Codec::zstd) {
      EXPECT_EQ(ZSTD_findFrameCompressedSize(first.data(), first.size()), first.size());
    }
  }
}

// Readings, "What we write": the same pages give the same bytes; gzip level 6 and zstd level 9; no name, no
// time.
TEST(SpecEncoder, GivesTheSameBytesHoweverItIsFed) {
  const std::string large = sample() + noise(300'000) + std::string(300'000, 'x');
  for (const Codec codec : {Codec::plain, Codec::gzip, Codec::zstd}) {
    const std::string whole = compress(codec, large, default_level(codec));
    EXPECT_EQ(compress(codec, large, default_level(codec)), whole);
    std::string pieces;
    const auto encoder = make_encoder(codec, default_level(codec));
    for (std::size_t at = 0; at < large.size(); at += 100'000)
      ASSERT_TRUE(encoder->encode(std::string_view(large).substr(at, 100'000), Flush::more, pieces));
    ASSERT_TRUE(encoder->encode({}, Flush::end, pieces));
    const Decoded decoded = decode(*make_decoder(codec), pieces);
    EXPECT_TRUE(decoded.good);
    EXPECT_EQ(decoded.plain, large);
    EXPECT_TRUE(codec == Codec::zstd || pieces == whole);  // zstd's blocks end where its input does
    EXPECT_EQ(decode(*make_decoder(codec), whole).plain, large);
  }
  EXPECT_EQ(default_level(Codec::gzip), 6);
  EXPECT_EQ(default_level(Codec::zstd), 9);
}

TEST(SpecEncoder, GzipHeaderHasNoNameAndNoTime) {
  const std::string packed = compress(Codec::gzip, "x", 6);
  EXPECT_EQ(packed.substr(0, 4), std::string("\x1f\x8b\x08\x00", 4));
  EXPECT_EQ(packed.substr(4, 4), std::string(4, '\0'));
}

/// Text that compresses like text: words in another order every time.
std::string prose(std::size_t size) {
  std::mt19937 random(7);
  std::string text;
  while (text.size() < size) {
    text += sample().substr(random() % sample().size(), 40);
    text += std::to_string(random() % 1000);
  }
  text.resize(size);
  return text;
}

/// Reads one member and tells how much was left behind it.
std::string read_first_member(std::string_view packed, std::size_t size, std::size_t& left) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string plain(size + 1, '\0');
  stream.next_in = reinterpret_cast<const Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_out = static_cast<uInt>(plain.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  plain.resize(stream.total_out);
  left = stream.avail_in;
  inflateEnd(&stream);
  return plain;
}

/// Fed in pieces that have nothing to do with stretches.
std::string compress_by_threads(std::string_view plain, int level, unsigned threads) {
  std::string packed;
  const auto encoder = make_gzip_encoder(level, threads);
  for (std::size_t at = 0; at < plain.size(); at += 700'001)
    EXPECT_TRUE(encoder->encode(plain.substr(at, 700'001), Flush::more, packed));
  EXPECT_TRUE(encoder->encode({}, Flush::end, packed));
  return packed;
}

// Several threads write one member, identical to that of one thread, so readers of only the first member miss
// nothing.
TEST(SheafOnlyEncoderThreads, MakeOneMemberOfTheSameBytes) {
  constexpr std::size_t kStretch = 3 << 19;
  const auto check = [](const std::string& plain, int level) {
    const std::string alone = compress(Codec::gzip, plain, level);
    for (const unsigned threads : {1U, 4U})
      ASSERT_EQ(compress_by_threads(plain, level, threads), alone)
          << plain.size() << " bytes, level " << level << ", threads " << threads;
    const Decoded decoded = decode_gzip(alone, SIZE_MAX, 1 << 16);
    EXPECT_TRUE(decoded.good);
    EXPECT_EQ(decoded.plain, plain);
    std::size_t left = 0;
    EXPECT_EQ(read_first_member(alone, plain.size(), left), plain);
    EXPECT_EQ(left, 0U);
  };
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, kStretch - 1, kStretch, kStretch + 1, 4 * kStretch, 5 * kStretch + 7})
    for (const int level : {0, 6}) check(prose(size), level);
  for (int level = 1; level <= 9; ++level) check(prose(kStretch + 1), level);
}

TEST(SheafOnlyEncoderThreads, WhatDoesNotCompressHardlyGrows) {
  const std::string plain = noise(std::size_t{7} << 19);
  for (const int level : {1, 6, 9}) {
    const std::string packed = compress_by_threads(plain, level, 2);
    EXPECT_LT(packed.size(), plain.size() + plain.size() / 1000);
    EXPECT_EQ(decode_gzip(packed, SIZE_MAX, 1 << 16).plain, plain);
  }
}

TEST(SheafOnlyEncoderThreads, CutsCostNextToNothing) {
  const std::string plain = prose(6 << 20);
  const std::string packed = compress(Codec::gzip, plain, 6);
  std::string whole(plain.size(), '\0');
  z_stream stream{};
  ASSERT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = reinterpret_cast<const Bytef*>(plain.data());
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(whole.data());
  stream.avail_out = static_cast<uInt>(whole.size());
  ASSERT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  const std::size_t whole_size = stream.total_out;
  deflateEnd(&stream);
  EXPECT_LT(packed.size(), whole_size + whole_size / 200);
}

// An encoder that is given up in the middle, as when the disk is full, ends its threads.
TEST(SheafOnlyEncoderThreads, CanBeGivenUp) {
  const auto encoder = make_gzip_encoder(6, 2);
  std::string packed;
  ASSERT_TRUE(encoder->encode(prose(9 << 20), Flush::more, packed));
  EXPECT_FALSE(packed.empty());
}

TEST(SheafOnlyEncoder, EveryLevelCanBeRead) {
  for (int level = 0; level <= 9; ++level)
    EXPECT_EQ(decode_gzip(compress(Codec::gzip, sample(), level)).plain, sample());
  for (const int level : {kZstdStored, -20, -1, 1, 3, 9, 19})
    EXPECT_EQ(decode_zstd(compress(Codec::zstd, sample(), level)).plain, sample());
  EXPECT_TRUE(decode_zstd(compress(Codec::zstd, "")).good);
  EXPECT_TRUE(decode_gzip(compress(Codec::gzip, "")).good);
}

TEST(SheafOnlyEncoder, StoredZstdIsCutIntoBlocks) {
  constexpr std::size_t kBlock = std::size_t{128} << 10;
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{1}, kBlock - 1, kBlock, kBlock + 1, 3 * kBlock + 7})
    for (const std::size_t step : {std::size_t{1000}, kBlock, SIZE_MAX}) {
      const std::string text(size, 'x');
      const auto encoder = make_encoder(Codec::zstd, kZstdStored);
      std::string packed;
      for (std::size_t at = 0; at < size; at += std::min(step, size - at))
        ASSERT_TRUE(encoder->encode(std::string_view(text).substr(at, step), Flush::more, packed));
      ASSERT_TRUE(encoder->encode({}, Flush::end, packed));
      EXPECT_LT(packed.size(), size + 32);
      const Decoded decoded = decode_zstd(packed);
      EXPECT_TRUE(decoded.good) << decoded.message;
      EXPECT_EQ(decoded.plain, text);
    }
}

}  // namespace
}  // namespace sheaf::format
