#define ZLIB_CONST  // next_in points to const bytes
#include "sheaf/format/codec.h"

#include <zlib.h>

#include <string>

namespace sheaf::format {
namespace {

// zlib counts in 32 bits; a step at a time stays below that.
constexpr std::size_t kStepMax = std::size_t{1} << 30;

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
      constexpr std::size_t kRoom = std::size_t{64} * 1024;
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

std::unique_ptr<Encoder> make_gzip_encoder(int level) { return std::make_unique<GzipEncoder>(level); }

}  // namespace sheaf::format
