#include "codec_parts.h"

#include "race.h"

#include <openssl/evp.h>
#include <simdjson.h>
#include <zstd.h>

#include <memory>
#include <vector>

#if SHEAF_HAVE_ISAL
#include <isa-l/igzip_lib.h>
#else
#include <zlib.h>
#endif

namespace sheaf::bench {
namespace {

constexpr std::size_t kBuffer = 256 * 1024;  // the reader's chunk size

}  // namespace

std::uint64_t decode_zstd(std::string_view compressed) {
  const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(), &ZSTD_freeDCtx);
  std::vector<char> buffer(kBuffer);
  ZSTD_inBuffer input{compressed.data(), compressed.size(), 0};
  std::uint64_t total = 0;
  std::size_t left = 1;
  while (input.pos < input.size || left > 0) {
    ZSTD_outBuffer output{buffer.data(), buffer.size(), 0};
    left = ZSTD_decompressStream(context.get(), &output, &input);
    require(ZSTD_isError(left) == 0, "zstd decodes");
    total += output.pos;
  }
  return total;
}

#if SHEAF_HAVE_ISAL
std::uint64_t decode_gzip(std::string_view compressed) {
  const auto state = std::make_unique<inflate_state>();
  std::vector<std::uint8_t> buffer(kBuffer);
  std::uint64_t total = 0;
  isal_inflate_init(state.get());
  state->crc_flag = ISAL_GZIP;
  // The library only reads through this pointer; its interface is C's.
  state->next_in = const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(compressed.data()));
  std::size_t left = compressed.size();
  while (state->block_state != ISAL_BLOCK_FINISH) {
    if (state->avail_in == 0) {
      state->avail_in = static_cast<std::uint32_t>(std::min<std::size_t>(left, 1U << 30));
      left -= state->avail_in;
    }
    state->next_out = buffer.data();
    state->avail_out = static_cast<std::uint32_t>(buffer.size());
    require(isal_inflate(state.get()) == ISAL_DECOMP_OK, "gzip decodes");
    total += buffer.size() - state->avail_out;
  }
  return total;
}
#else
std::uint64_t decode_gzip(std::string_view compressed) {
  z_stream stream{};
  require(inflateInit2(&stream, 15 + 16) == Z_OK, "zlib starts");
  std::vector<unsigned char> buffer(kBuffer);
  stream.next_in = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(compressed.data()));
  std::size_t left = compressed.size();
  std::uint64_t total = 0;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (stream.avail_in == 0) {
      stream.avail_in = static_cast<unsigned>(std::min<std::size_t>(left, 1U << 30));
      left -= stream.avail_in;
    }
    stream.next_out = buffer.data();
    stream.avail_out = static_cast<unsigned>(buffer.size());
    status = inflate(&stream, Z_NO_FLUSH);
    require(status == Z_OK || status == Z_STREAM_END, "gzip decodes");
    total += buffer.size() - stream.avail_out;
  }
  inflateEnd(&stream);
  return total;
}
#endif

std::string hash_sha256(std::string_view bytes) {
  std::string digest(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  require(EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(digest.data()), &size,
                     EVP_sha256(), nullptr) == 1,
          "SHA-256 works");
  digest.resize(size);
  return digest;
}

std::uint64_t parse_lines(std::string_view bytes) {
  simdjson::dom::parser parser;
  std::uint64_t lines = 0;
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    require(end != std::string_view::npos, "every line ends");
    simdjson::dom::element root;
    require(parser.parse(bytes.data(), end, false).get(root) == simdjson::SUCCESS, "every line parses");
    bytes.remove_prefix(end + 1);
    ++lines;
  }
  return lines;
}

std::uint64_t encode_zstd(std::string_view bytes, int level) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::vector<char> buffer(ZSTD_CStreamOutSize());
  std::uint64_t total = 0;
  // In pieces, like a stream: if zstd knew the total size, it would choose other parameters.
  for (std::size_t at = 0; at <= bytes.size(); at += kBuffer) {
    const std::string_view piece = bytes.substr(at, kBuffer);
    const bool last = at + kBuffer > bytes.size();
    ZSTD_inBuffer input{piece.data(), piece.size(), 0};
    bool done = false;
    while (!done) {
      ZSTD_outBuffer output{buffer.data(), buffer.size(), 0};
      const std::size_t left =
          ZSTD_compressStream2(context.get(), &output, &input, last ? ZSTD_e_end : ZSTD_e_continue);
      require(ZSTD_isError(left) == 0, "zstd compresses");
      total += output.pos;
      done = last ? left == 0 : input.pos == input.size;
    }
  }
  return total;
}

}  // namespace sheaf::bench
