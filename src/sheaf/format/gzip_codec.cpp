#define ZLIB_CONST  // next_in points to const bytes
#include "sheaf/format/codec.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <string>
#if SHEAF_HAVE_ISAL
#include <isa-l/igzip_lib.h>
#endif

namespace sheaf::format {
namespace {

// Both libraries count in 32 bits; a step at a time stays below that.
constexpr std::size_t kStepMax = std::size_t{1} << 30;

base::Error corrupt(std::string_view what) {
  return {base::Errc::invalid_data, "the gzip data is corrupt: " + std::string(what)};
}

base::Error not_a_member() {
  return {base::Errc::invalid_data,
          "there are bytes that are no gzip member (garbage after the last member?)"};
}

#if SHEAF_HAVE_ISAL
class IsalDecoder final : public Decoder {
 public:
  IsalDecoder() { start_member(); }

  base::Result<DecodeStep> decode(std::string_view in, std::span<char> out) override {
    DecodeStep step;
    while (step.produced < out.size()) {
      if (finished_) {
        if (step.consumed == in.size()) break;
        start_member();
      }
      const std::string_view rest = in.substr(step.consumed, kStepMax);
      // The library looks only once it has a whole header, and so would take a few bytes of garbage for a
      // member cut off.
      if (member_bytes_ == 0 && !first_member_ && rest.front() != '\x1f')
        return std::unexpected(not_a_member());
      if (has_reserved_flags(rest))
        return std::unexpected(corrupt("its header sets flags that no one has defined"));
      const std::span<char> room = out.subspan(step.produced, std::min(out.size() - step.produced, kStepMax));
      // The library promises not to write through next_in; its C interface just does not say const.
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
      member_bytes_ += consumed;
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
    state_->crc_flag = ISAL_GZIP;
    member_bytes_ = 0;
    finished_ = false;
  }

  /// RFC 1952 demands to refuse what sets the upper flags (2.3.1.2); the library lets them pass.
  [[nodiscard]] bool has_reserved_flags(std::string_view rest) const {
    constexpr std::size_t kFlags = 3;
    return member_bytes_ <= kFlags && rest.size() > kFlags - member_bytes_ &&
           (rest[kFlags - member_bytes_] & '\xe0') != 0;
  }

  [[nodiscard]] base::Error explain(int status) const {
    switch (status) {
      case ISAL_INVALID_WRAPPER: return first_member_ ? corrupt("its header is broken") : not_a_member();
      case ISAL_UNSUPPORTED_METHOD: return corrupt("its header names an unknown method");
      case ISAL_INCORRECT_CHECKSUM: return corrupt("it does not match its checksum");
      default: return corrupt("invalid deflate data");
    }
  }

  std::unique_ptr<inflate_state> state_ = std::make_unique<inflate_state>();
  std::size_t member_bytes_ = 0;  ///< of the member under way, taken so far
  bool finished_ = false;
  bool first_member_ = true;
};
#endif

class ZlibDecoder final : public Decoder {
 public:
  ZlibDecoder() { inflateInit2(&stream_, kGzipOnly); }
  ~ZlibDecoder() override { inflateEnd(&stream_); }
  ZlibDecoder(const ZlibDecoder&) = delete;
  ZlibDecoder& operator=(const ZlibDecoder&) = delete;

  base::Result<DecodeStep> decode(std::string_view in, std::span<char> out) override {
    DecodeStep step;
    while (step.produced < out.size()) {
      if (finished_) {
        if (step.consumed == in.size()) break;
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

 private:
  static constexpr int kGzipOnly = 15 + 16;

  [[nodiscard]] base::Error explain() const {
    const std::string_view reason = stream_.msg != nullptr ? stream_.msg : "invalid deflate data";
    if (reason == "incorrect header check" && !first_member_) return not_a_member();
    return corrupt(reason);
  }

  z_stream stream_{};
  bool finished_ = false;
  bool first_member_ = true;
};

class GzipEncoder final : public Encoder {
 public:
  // deflateInit2 with gzip wrapping writes no name and a zero time, so equal input gives equal bytes.
  explicit GzipEncoder(int level) {
    deflateInit2(&stream_, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
  }
  ~GzipEncoder() override { deflateEnd(&stream_); }
  GzipEncoder(const GzipEncoder&) = delete;
  GzipEncoder& operator=(const GzipEncoder&) = delete;

  base::Result<void> encode(std::string_view in, Flush flush, std::string& out) override {
    while (true) {
      const std::string_view part = in.substr(0, kStepMax);
      in.remove_prefix(part.size());
      const int directive = flush == Flush::end && in.empty() ? Z_FINISH : Z_NO_FLUSH;
      SHEAF_TRY(deflate_all(part, directive, out));
      if (in.empty()) return {};
    }
  }

 private:
  base::Result<void> deflate_all(std::string_view part, int directive, std::string& out) {
    stream_.next_in = reinterpret_cast<const Bytef*>(part.data());
    stream_.avail_in = static_cast<uInt>(part.size());
    while (true) {
      constexpr std::size_t kRoom = 64 * 1024;
      const std::size_t filled = out.size();
      out.resize(filled + kRoom);
      stream_.next_out = reinterpret_cast<Bytef*>(out.data() + filled);
      stream_.avail_out = kRoom;
      const int status = deflate(&stream_, directive);
      out.resize(filled + kRoom - stream_.avail_out);
      if (status == Z_STREAM_ERROR) return base::fail(base::Errc::io, "gzip cannot compress: invalid state");
      if (directive == Z_FINISH ? status == Z_STREAM_END : stream_.avail_out != 0) return {};
    }
  }

  z_stream stream_{};
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
std::unique_ptr<Encoder> make_gzip_encoder(int level) { return std::make_unique<GzipEncoder>(level); }

}  // namespace sheaf::format
