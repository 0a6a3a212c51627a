#include "sheaf/traffic/log_source.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/base/gzip_decoder.h"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <vector>

namespace sheaf::traffic {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 20U;

/// Cuts a stream of bytes into lines. Only a line that spans two pieces is copied.
class LineCutter {
 public:
  explicit LineCutter(const std::function<void(std::string_view)>& use) : use_(use) {}

  void add(std::string_view bytes) {
    while (!bytes.empty()) {
      const void* found = std::memchr(bytes.data(), '\n', bytes.size());
      if (found == nullptr) return keep(bytes);
      const auto size = static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
      if (rest_.empty() && !is_skipping_) {
        if (size <= kMostLineBytes) use_(bytes.substr(0, size));
      } else {
        keep(bytes.substr(0, size));
        finish();
      }
      bytes.remove_prefix(size + 1);
    }
  }

  /// The end of a line, or of the file.
  void finish() {
    if (!rest_.empty() && !is_skipping_) use_(rest_);
    rest_.clear();
    is_skipping_ = false;
  }

 private:
  void keep(std::string_view bytes) {
    is_skipping_ = is_skipping_ || rest_.size() + bytes.size() > kMostLineBytes;
    if (is_skipping_) return rest_.clear();
    rest_ += bytes;
  }

  const std::function<void(std::string_view)>& use_;
  std::string rest_;
  bool is_skipping_ = false;
};

base::Result<void> decode_into(base::Decoder& decoder, std::string_view bytes, std::vector<char>& buffer,
                               LineCutter& lines, const std::string& file) {
  while (true) {
    const auto step = decoder.decode(bytes, buffer);
    if (!step) return base::fail(base::Errc::invalid_data, fmt::format("{}: {}", file, step.error().message));
    bytes.remove_prefix(step->consumed);
    lines.add({buffer.data(), step->produced});
    if (step->produced == 0 && (bytes.empty() || step->consumed == 0)) return {};
  }
}

}  // namespace

base::Result<void> each_log_line(const std::string& file, const std::function<void(std::string_view)>& use,
                                 const std::function<void(std::uint64_t)>& progress) {
  SHEAF_TRY_ASSIGN(const auto source, base::open_source(file));
  std::vector<char> input(kReadBytes);
  std::vector<char> output;
  std::unique_ptr<base::Decoder> decoder;
  LineCutter lines(use);
  std::uint64_t total = 0;
  while (true) {
    SHEAF_TRY_ASSIGN(const std::size_t count, source->read(input));
    if (count == 0) break;
    const std::string_view bytes(input.data(), count);
    if (total == 0 && base::is_gzip(bytes)) {
      decoder = base::make_gzip_decoder();
      output.resize(kReadBytes);
    }
    total += count;
    if (decoder) {
      SHEAF_TRY(decode_into(*decoder, bytes, output, lines, file));
    } else {
      lines.add(bytes);
    }
    if (progress) progress(total);
  }
  lines.finish();
  if (decoder && !decoder->may_end())
    return base::fail(base::Errc::invalid_data, fmt::format("{}: the gzip data ends in the middle", file));
  return {};
}

}  // namespace sheaf::traffic
