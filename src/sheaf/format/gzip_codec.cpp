#define ZLIB_CONST  // next_in points to const bytes
#include "sheaf/base/ordered_pipeline.h"
#include "sheaf/format/codec.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

namespace sheaf::format {
namespace {

using base::Result;

// One member is made of stretches that are compressed apart, so that several threads can. Each is told what
// stands before it, as far back as deflate looks, and ends on a byte: next to nothing is lost by the cuts.
constexpr std::size_t kStretchBytes = std::size_t{1} << 20;
constexpr std::size_t kWindowBytes = std::size_t{32} << 10;
constexpr std::size_t kUnderWayPerThread = 2;

struct Stretch {
  std::string bytes;  ///< what stands before it, then itself
  std::size_t begin = 0;
  bool last = false;

  [[nodiscard]] std::string_view before() const { return std::string_view(bytes).substr(0, begin); }
  [[nodiscard]] std::string_view own() const { return std::string_view(bytes).substr(begin); }
};

struct Deflated {
  std::string bytes;
  uLong crc = 0;
  std::size_t plain_size = 0;
};

const Bytef* data_of(std::string_view bytes) { return reinterpret_cast<const Bytef*>(bytes.data()); }

/// Raw deflate, one stretch at a time. The result depends on the stretch and the level alone.
class Deflater {
 public:
  explicit Deflater(int level)
      : ready_(deflateInit2(&stream_, level, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) == Z_OK) {}
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  Result<Deflated> operator()(const Stretch& stretch) {
    const auto fail = [] { return base::fail(base::Errc::io, "gzip cannot compress: out of memory"); };
    if (!ready_ || deflateReset(&stream_) != Z_OK) return fail();
    if (const auto before = stretch.before(); !before.empty())
      deflateSetDictionary(&stream_, data_of(before), static_cast<uInt>(before.size()));
    const std::string_view own = stretch.own();
    Deflated result{{}, crc32(0, data_of(own), static_cast<uInt>(own.size())), own.size()};
    constexpr std::size_t kFlushMark = 16;
    result.bytes.resize(deflateBound(&stream_, static_cast<uLong>(own.size())) + kFlushMark);
    stream_.next_in = data_of(own);
    stream_.avail_in = static_cast<uInt>(own.size());
    stream_.next_out = reinterpret_cast<Bytef*>(result.bytes.data());
    stream_.avail_out = static_cast<uInt>(result.bytes.size());
    const int status = deflate(&stream_, stretch.last ? Z_FINISH : Z_SYNC_FLUSH);
    if (status != (stretch.last ? Z_STREAM_END : Z_OK) || stream_.avail_in != 0) return fail();
    result.bytes.resize(result.bytes.size() - stream_.avail_out);
    return result;
  }

 private:
  z_stream stream_{};
  bool ready_;
};

class GzipEncoder final : public Encoder {
 public:
  GzipEncoder(int level, unsigned threads) : level_(level), threads_(threads) {}

  Result<void> encode(std::string_view in, Flush flush, std::string& out) override {
    if (!begun_) write_head(out);
    while (true) {
      const std::size_t room = kStretchBytes - (stretch_.bytes.size() - stretch_.begin);
      const std::string_view part = in.substr(0, room);
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
  using Pipeline = base::OrderedPipeline<Stretch, Result<Deflated>>;

  /// No name and no time, so equal input gives equal bytes; made on Unix.
  void write_head(std::string& out) {
    const char effort = level_ == Z_BEST_COMPRESSION ? '\2' : level_ == Z_BEST_SPEED ? '\4' : '\0';
    const std::array<char, 10> head = {'\x1f', '\x8b', '\x08', 0, 0, 0, 0, 0, effort, '\3'};
    out.append(head.data(), head.size());
    begun_ = true;
  }

  static void append_number(std::uint64_t number, std::string& out) {
    for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>((number >> shift) & 0xff);
  }

  Result<void> send(bool last, std::string& out) {
    stretch_.last = last;
    Stretch next;
    if (!last) {
      const std::size_t kept = std::min(kWindowBytes, stretch_.bytes.size());
      next.bytes.reserve(kept + kStretchBytes);
      next.bytes = stretch_.bytes.substr(stretch_.bytes.size() - kept);
      next.begin = kept;
    }
    const Stretch now = std::exchange(stretch_, std::move(next));
    // A thread would only be waited for where there is just one stretch.
    if (threads_ <= 1 || (last && !pipeline_)) {
      if (!deflater_) deflater_.emplace(level_);
      SHEAF_TRY_ASSIGN(const Deflated deflated, (*deflater_)(now));
      append(deflated, out);
      return {};
    }
    if (!pipeline_)
      pipeline_.emplace(threads_, [level = level_] {
        return [deflater = std::make_unique<Deflater>(level)](const Stretch& stretch) {
          return (*deflater)(stretch);
        };
      });
    pipeline_->push(now);
    ++under_way_;
    return take(kUnderWayPerThread * threads_, out);
  }

  /// Waits until no more than that many are under way.
  Result<void> take(std::size_t left, std::string& out) {
    for (; under_way_ > left; --under_way_) {
      SHEAF_TRY_ASSIGN(const Deflated deflated, *pipeline_->next());
      append(deflated, out);
    }
    return {};
  }

  void append(const Deflated& deflated, std::string& out) {
    out += deflated.bytes;
    crc_ = crc32_combine(crc_, deflated.crc, static_cast<z_off_t>(deflated.plain_size));
    plain_size_ += deflated.plain_size;
  }

  int level_;
  unsigned threads_;
  bool begun_ = false;
  Stretch stretch_;
  std::optional<Deflater> deflater_;
  std::optional<Pipeline> pipeline_;
  std::size_t under_way_ = 0;
  uLong crc_ = 0;
  std::uint64_t plain_size_ = 0;
};

}  // namespace

std::unique_ptr<Encoder> make_gzip_encoder(int level, unsigned threads) {
  return std::make_unique<GzipEncoder>(level, threads);
}

}  // namespace sheaf::format
