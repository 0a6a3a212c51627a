#include "sheaf/base/ordered_pipeline.h"
#include "sheaf/format/codecs/codec.h"
#include "sheaf/format/codecs/deflate_blocks_internal.h"

#include <libdeflate.h>

#include <array>
#include <optional>
#include <string>

namespace sheaf::format {
namespace {

using base::Result;

// A member is compressed in independent pieces, because libdeflate only takes whole buffers, and so that
// several threads can work. A piece cannot refer to data before it; at this size that costs 0.3 %.
constexpr std::size_t kStretchBytes = std::size_t{3} << 19;
constexpr std::size_t kUnderWayPerThread = 2;

struct Stretch {
  std::string bytes;
  bool last = false;
};

/// Raw deflate of one piece. The result depends only on the piece and the level.
class Deflater {
 public:
  explicit Deflater(int level) : compressor_(libdeflate_alloc_compressor(level)) {}

  Result<std::string> operator()(const Stretch& stretch) {
    if (!compressor_) return base::fail(base::Errc::io, "gzip cannot compress: out of memory");
    reserve(libdeflate_deflate_compress_bound(compressor_.get(), stretch.bytes.size()));
    const std::size_t size = libdeflate_deflate_compress(compressor_.get(), stretch.bytes.data(),
                                                         stretch.bytes.size(), room_.get(), room_size_);
    std::string result(room_.get(), size);
    if (stretch.last) return result;
    const auto last = find_last_block(result, stretch.bytes.size());
    if (!last) return base::fail(base::Errc::io, "gzip cannot compress: libdeflate gave no deflate stream");
    leave_open(result, *last);
    return result;
  }

 private:
  struct Free {
    void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
  };

  /// The buffer is reused for all pieces. Memory pages that are never written cost nothing.
  void reserve(std::size_t size) {
    if (size <= room_size_) return;
    room_ = std::make_unique_for_overwrite<char[]>(size);
    room_size_ = size;
  }

  std::unique_ptr<libdeflate_compressor, Free> compressor_;
  std::unique_ptr<char[]> room_;
  std::size_t room_size_ = 0;
};

class GzipEncoder final : public Encoder {
 public:
  GzipEncoder(int level, unsigned threads) : level_(level), threads_(threads) {}

  Result<void> encode(std::string_view in, Flush flush, std::string& out) override {
    if (!begun_) write_head(out);
    while (true) {
      const std::string_view part = in.substr(0, kStretchBytes - stretch_.bytes.size());
      stretch_.bytes += part;
      in.remove_prefix(part.size());
      if (in.empty()) break;
      SHEAF_TRY(send(false, out));
    }
    if (flush == Flush::more) return {};
    SHEAF_TRY(send(true, out));
    if (pipeline_) SHEAF_TRY(take(0, out));
    append_number(crc_, out);
    append_number(plain_size_, out);
    return {};
  }

 private:
  using Pipeline = base::OrderedPipeline<Stretch, Result<std::string>>;

  /// No file name and no time, so that equal input gives equal bytes; operating system: Unix.
  void write_head(std::string& out) {
    const char effort = level_ == 9 ? '\2' : level_ == 1 ? '\4' : '\0';
    const std::array<char, 10> head = {'\x1f', '\x8b', '\x08', 0, 0, 0, 0, 0, effort, '\3'};
    out.append(head.data(), head.size());
    begun_ = true;
  }

  static void append_number(std::uint64_t number, std::string& out) {
    for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>((number >> shift) & 0xff);
  }

  Result<void> send(bool last, std::string& out) {
    Stretch now = std::exchange(stretch_, {});
    now.last = last;
    crc_ = libdeflate_crc32(crc_, now.bytes.data(), now.bytes.size());
    plain_size_ += now.bytes.size();
    if (!last) stretch_.bytes.reserve(kStretchBytes);
    // For a single piece, another thread would not save time.
    if (threads_ <= 1 || (last && !pipeline_)) {
      if (!deflater_) deflater_.emplace(level_);
      SHEAF_TRY_ASSIGN(const std::string deflated, (*deflater_)(now));
      out += deflated;
      return {};
    }
    if (!pipeline_) pipeline_.emplace(threads_, [level = level_] { return Deflater(level); });
    pipeline_->push(std::move(now));
    ++under_way_;
    return take(kUnderWayPerThread * threads_, out);
  }

  /// Appends finished pieces in order, until at most `left` are in progress.
  Result<void> take(std::size_t left, std::string& out) {
    for (; under_way_ > left; --under_way_) {
      SHEAF_TRY_ASSIGN(const std::string deflated, *pipeline_->next());
      out += deflated;
    }
    return {};
  }

  int level_;
  unsigned threads_;
  bool begun_ = false;
  Stretch stretch_;
  std::optional<Deflater> deflater_;
  std::optional<Pipeline> pipeline_;
  std::size_t under_way_ = 0;
  std::uint32_t crc_ = 0;
  std::uint64_t plain_size_ = 0;
};

}  // namespace

std::unique_ptr<Encoder> make_gzip_encoder(int level, unsigned threads) {
  return std::make_unique<GzipEncoder>(level, threads);
}

}  // namespace sheaf::format
