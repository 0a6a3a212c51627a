#include "sheaf/base/decoder.h"

#define ZLIB_CONST  // next_in points to const bytes
#include <brotli/decode.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <string>
#if SHEAF_HAVE_ISAL
#include <isa-l/igzip_lib.h>
#endif

namespace sheaf::base {
namespace {

struct FreeBrotli {
  void operator()(BrotliDecoderState* state) const { BrotliDecoderDestroyInstance(state); }
};

class BrotliDecoder final : public Decoder {
 public:
  // Without the parameter for large windows, the window is at most 16 MiB.
  BrotliDecoder() : state_(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {}

  Result<DecodeStep> decode(std::string_view in, std::span<char> out) override {
    if (ended_) {
      if (in.empty()) return DecodeStep{};
      return fail(Errc::invalid_data, "there are bytes after the end of the brotli data");
    }
    std::size_t in_left = in.size();
    std::size_t out_left = out.size();
    const auto* next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    auto* next_out = reinterpret_cast<std::uint8_t*>(out.data());
    const BrotliDecoderResult result =
        BrotliDecoderDecompressStream(state_.get(), &in_left, &next_in, &out_left, &next_out, nullptr);
    if (result == BROTLI_DECODER_RESULT_ERROR)
      return fail(Errc::invalid_data, std::string("the brotli data is corrupt: ") +
                                          BrotliDecoderErrorString(BrotliDecoderGetErrorCode(state_.get())));
    ended_ = result == BROTLI_DECODER_RESULT_SUCCESS;
    return DecodeStep{in.size() - in_left, out.size() - out_left};
  }

  [[nodiscard]] bool may_end() const override { return ended_; }

 private:
  std::unique_ptr<BrotliDecoderState, FreeBrotli> state_;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<Decoder> make_brotli_decoder() { return std::make_unique<BrotliDecoder>(); }

namespace {

// Both libraries use 32-bit counts, so input is processed in smaller steps.
constexpr std::size_t kStepMax = std::size_t{1} << 30;

Error corrupt(std::string_view what) {
  return {Errc::invalid_data, "the gzip data is corrupt: " + std::string(what)};
}

Error not_a_member() {
  return {Errc::invalid_data, "there are bytes that are not a gzip member (garbage after the last member?)"};
}

#if SHEAF_HAVE_ISAL
/// Parses the header of a member byte by byte (RFC 1952, 2.3). It replaces the parser of ISA-L, which rejects
/// a header with a checksum if it arrives in two pieces, and accepts reserved flags.
class GzipHeader {
 public:
  enum class Step : std::uint8_t {
    more,
    complete,
    no_member,
    unknown_method,
    reserved_flags,
    wrong_checksum
  };

  Step take(std::uint8_t byte) {
    if (part_ != Part::checksum) checksum_ = crc32(checksum_, &byte, 1);
    switch (part_) {
      case Part::fixed: return take_fixed(byte);
      case Part::extra_size:
        number_ |= static_cast<std::size_t>(byte) << 8 * position_;
        return ++position_ == 2 ? (number_ > 0 ? enter(Part::extra) : enter_next()) : Step::more;
      case Part::extra: return --number_ == 0 ? enter_next() : Step::more;
      case Part::name:
      case Part::comment: return byte == 0 ? enter_next() : Step::more;
      case Part::checksum:
        if (byte != (checksum_ >> 8 * position_ & 0xff)) return Step::wrong_checksum;
        return ++position_ == 2 ? Step::complete : Step::more;
    }
    return Step::no_member;
  }

 private:
  enum class Part : std::uint8_t { fixed, extra_size, extra, name, comment, checksum };

  Step take_fixed(std::uint8_t byte) {
    switch (position_++) {
      case 0: return byte == 0x1f ? Step::more : Step::no_member;
      case 1: return byte == 0x8b ? Step::more : Step::no_member;
      case 2: return byte == Z_DEFLATED ? Step::more : Step::unknown_method;
      case 3: flags_ = byte; return (byte & 0xe0) == 0 ? Step::more : Step::reserved_flags;
      case 9: return enter_next();
      default: return Step::more;
    }
  }

  Step enter(Part part) {
    part_ = part;
    position_ = 0;
    return Step::more;
  }

  /// Enters the next optional part that the flags announce.
  Step enter_next() {
    constexpr unsigned kChecksum = 2;
    constexpr unsigned kExtra = 4;
    constexpr unsigned kName = 8;
    constexpr unsigned kComment = 16;
    if (part_ < Part::extra_size && (flags_ & kExtra) != 0) return enter(Part::extra_size);
    if (part_ < Part::name && (flags_ & kName) != 0) return enter(Part::name);
    if (part_ < Part::comment && (flags_ & kComment) != 0) return enter(Part::comment);
    return (flags_ & kChecksum) != 0 ? enter(Part::checksum) : Step::complete;
  }

  Part part_ = Part::fixed;
  unsigned flags_ = 0;
  std::size_t position_ = 0;  ///< within a part of fixed size
  std::size_t number_ = 0;    ///< remaining bytes of the extra field
  uLong checksum_ = 0;        ///< of the header so far
};

class IsalDecoder final : public Decoder {
 public:
  IsalDecoder() { start_member(); }

  Result<DecodeStep> decode(std::string_view in, std::span<char> out) override {
    DecodeStep step;
    while (step.produced < out.size()) {
      if (finished_) {
        if (step.consumed == in.size() || step.produced > 0)
          break;  // deliver the output of this member before starting the next one
        start_member();
      }
      while (in_header_ && step.consumed < in.size()) SHEAF_TRY(read_header(in[step.consumed++]));
      if (in_header_) break;
      const std::string_view rest = in.substr(step.consumed, kStepMax);
      const std::span<char> room = out.subspan(step.produced, std::min(out.size() - step.produced, kStepMax));
      // The library does not write through next_in; its C interface only lacks const.
      state_->next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(rest.data()));
      state_->avail_in = static_cast<std::uint32_t>(rest.size());
      state_->next_out = reinterpret_cast<std::uint8_t*>(room.data());
      state_->avail_out = static_cast<std::uint32_t>(room.size());
      const int status = isal_inflate(state_.get());
      if (status != ISAL_DECOMP_OK) return std::unexpected(explain(status));
      const std::size_t consumed = rest.size() - state_->avail_in;
      const std::size_t produced = room.size() - state_->avail_out;
      step.consumed += consumed;
      step.produced += produced;
      finished_ = state_->block_state == ISAL_BLOCK_FINISH;
      if (!finished_ && consumed == 0 && produced == 0) break;
    }
    return step;
  }

  [[nodiscard]] bool may_end() const override { return finished_; }

 private:
  void start_member() {
    if (finished_) {
      isal_inflate_reset(state_.get());
      first_member_ = false;
    } else {
      isal_inflate_init(state_.get());
    }
    state_->crc_flag = ISAL_GZIP_NO_HDR_VER;
    finished_ = false;
    in_header_ = true;
    header_ = {};
  }

  Result<void> read_header(char byte) {
    switch (header_.take(static_cast<std::uint8_t>(byte))) {
      case GzipHeader::Step::more: return {};
      case GzipHeader::Step::complete: in_header_ = false; return {};
      case GzipHeader::Step::no_member:
        return std::unexpected(first_member_ ? corrupt("its header is broken") : not_a_member());
      case GzipHeader::Step::unknown_method:
        return std::unexpected(corrupt("its header names an unknown method"));
      case GzipHeader::Step::reserved_flags: return std::unexpected(corrupt("its header has unknown flags"));
      case GzipHeader::Step::wrong_checksum: break;
    }
    return std::unexpected(corrupt("its header does not match its checksum"));
  }

  static Error explain(int status) {
    return corrupt(status == ISAL_INCORRECT_CHECKSUM ? "it does not match its checksum"
                                                     : "invalid deflate data");
  }

  std::unique_ptr<inflate_state> state_ = std::make_unique<inflate_state>();
  GzipHeader header_;
  bool in_header_ = true;
  bool finished_ = false;
  bool first_member_ = true;
};
#endif

class ZlibDecoder final : public Decoder {
 public:
  explicit ZlibDecoder(int format = kGzipOnly) { inflateInit2(&stream_, format); }
  ~ZlibDecoder() override { inflateEnd(&stream_); }
  ZlibDecoder(const ZlibDecoder&) = delete;
  ZlibDecoder& operator=(const ZlibDecoder&) = delete;

  Result<DecodeStep> decode(std::string_view in, std::span<char> out) override {
    DecodeStep step;
    while (step.produced < out.size()) {
      if (finished_) {
        if (step.consumed == in.size() || step.produced > 0)
          break;  // deliver the output of this member before starting the next one
        inflateReset(&stream_);
        finished_ = false;
        first_member_ = false;
      }
      const std::string_view rest = in.substr(step.consumed, kStepMax);
      const std::span<char> room = out.subspan(step.produced, std::min(out.size() - step.produced, kStepMax));
      stream_.next_in = reinterpret_cast<const Bytef*>(rest.data());
      stream_.avail_in = static_cast<uInt>(rest.size());
      stream_.next_out = reinterpret_cast<Bytef*>(room.data());
      stream_.avail_out = static_cast<uInt>(room.size());
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
        return std::unexpected(explain());
      const std::size_t consumed = rest.size() - stream_.avail_in;
      const std::size_t produced = room.size() - stream_.avail_out;
      step.consumed += consumed;
      step.produced += produced;
      finished_ = status == Z_STREAM_END;
      if (!finished_ && consumed == 0 && produced == 0) break;
    }
    return step;
  }

  [[nodiscard]] bool may_end() const override { return finished_; }

  // zlib encodes the format in the window size.
  static constexpr int kGzipOnly = 15 + 16;
  static constexpr int kZlibOnly = 15;
  static constexpr int kBareDeflate = -15;

 private:
  [[nodiscard]] Error explain() const {
    const std::string_view reason = stream_.msg != nullptr ? stream_.msg : "invalid deflate data";
    if (reason == "incorrect header check" && !first_member_) return not_a_member();
    return corrupt(reason);
  }

  z_stream stream_{};
  bool finished_ = false;
  bool first_member_ = true;
};

}  // namespace

std::unique_ptr<Decoder> make_gzip_decoder() {
#if SHEAF_HAVE_ISAL
  return std::make_unique<IsalDecoder>();
#else
  return make_zlib_gzip_decoder();
#endif
}
std::unique_ptr<Decoder> make_zlib_gzip_decoder() { return std::make_unique<ZlibDecoder>(); }

std::unique_ptr<Decoder> make_deflate_decoder(std::string_view first_bytes) {
  // RFC 1950, 2.2: in a zlib header, the low nibble of the first byte is 8, and the first two bytes, as a
  // big-endian number, are a multiple of 31.
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(first_bytes[i]); };
  const bool is_zlib =
      first_bytes.size() >= 2 && (byte(0) & 0x0fU) == Z_DEFLATED && (byte(0) * 256U + byte(1)) % 31 == 0;
  return std::make_unique<ZlibDecoder>(is_zlib ? ZlibDecoder::kZlibOnly : ZlibDecoder::kBareDeflate);
}

}  // namespace sheaf::base
