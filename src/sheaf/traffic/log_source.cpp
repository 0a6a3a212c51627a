#include "sheaf/traffic/log_source.h"

#include "sheaf/base/byte_source.h"
#include "sheaf/base/gzip_decoder.h"
#include "sheaf/traffic/line_cutter.h"

#include <fmt/format.h>

#include <memory>
#include <vector>

namespace sheaf::traffic {
namespace {

constexpr std::size_t kReadBytes = std::size_t{1} << 20U;

base::Result<void> decode_into(base::Decoder& decoder, std::string_view bytes, std::vector<char>& buffer,
                               LineCutter& lines, const std::function<void(std::string_view)>& use,
                               const std::string& file) {
  while (true) {
    const auto step = decoder.decode(bytes, buffer);
    if (!step) return base::fail(base::Errc::invalid_data, fmt::format("{}: {}", file, step.error().message));
    bytes.remove_prefix(step->consumed);
    lines.add({buffer.data(), step->produced}, use);
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
  LineCutter lines;
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
      SHEAF_TRY(decode_into(*decoder, bytes, output, lines, use, file));
    } else {
      lines.add(bytes, use);
    }
    if (progress) progress(total);
  }
  lines.finish(use);
  if (decoder && !decoder->may_end())
    return base::fail(base::Errc::invalid_data, fmt::format("{}: the gzip data ends in the middle", file));
  return {};
}

}  // namespace sheaf::traffic
