#include "sheaf/format/codecs/codec.h"

#include <algorithm>
#include <cstring>

namespace sheaf {

std::string_view to_string(Codec codec) {
  switch (codec) {
    case Codec::plain: return "plain";
    case Codec::gzip: return "gzip";
    case Codec::zstd: return "zstd";
  }
  return "";
}

std::string_view extension_of(Codec codec) {
  switch (codec) {
    case Codec::plain: return ".scp";
    case Codec::gzip: return ".scp.gz";
    case Codec::zstd: return ".scp.zst";
  }
  return "";
}

std::optional<Codec> codec_for_path(std::string_view path) {
  if (path.ends_with(".gz")) return Codec::gzip;
  if (path.ends_with(".zst")) return Codec::zstd;
  if (path.ends_with(".scp")) return Codec::plain;
  return std::nullopt;
}

int default_level(Codec codec) { return codec == Codec::zstd ? 9 : 6; }

}  // namespace sheaf

namespace sheaf::format {
namespace {

class PlainDecoder final : public Decoder {
 public:
  base::Result<DecodeStep> decode(std::string_view in, std::span<char> out) override {
    const std::size_t count = std::min(in.size(), out.size());
    if (count > 0) std::memcpy(out.data(), in.data(), count);
    return DecodeStep{count, count};
  }
  [[nodiscard]] bool may_end() const override { return true; }
};

class PlainEncoder final : public Encoder {
 public:
  base::Result<void> encode(std::string_view in, Flush /*flush*/, std::string& out) override {
    out += in;
    return {};
  }
};

}  // namespace

Codec sniff_codec(std::string_view first_bytes) {
  if (base::is_gzip(first_bytes)) return Codec::gzip;
  if (first_bytes.starts_with("\x28\xb5\x2f\xfd")) return Codec::zstd;
  // A zstd stream may open with a skippable frame: 0x184D2A50 to 0x184D2A5F, little-endian.
  if (first_bytes.size() >= 4 && (first_bytes[0] & '\xf0') == '\x50' &&
      first_bytes.substr(1, 3) == "\x2a\x4d\x18")
    return Codec::zstd;
  return Codec::plain;
}

std::unique_ptr<Decoder> make_decoder(Codec codec) {
  switch (codec) {
    case Codec::gzip: return make_gzip_decoder();
    case Codec::zstd: return make_zstd_decoder();
    case Codec::plain: break;
  }
  return std::make_unique<PlainDecoder>();
}

std::unique_ptr<Encoder> make_encoder(Codec codec, int level, unsigned threads) {
  switch (codec) {
    case Codec::gzip: return make_gzip_encoder(level, threads);
    case Codec::zstd: return make_zstd_encoder(level, threads);
    case Codec::plain: break;
  }
  return std::make_unique<PlainEncoder>();
}

}  // namespace sheaf::format
