#include "sheaf/site/sitemap_bytes.h"

#include "sheaf/base/gzip_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace sheaf::site {
namespace {

constexpr std::size_t kInputBytes = std::size_t{64} * 1024;
constexpr std::size_t kMagicBytes = 2;
// If the data is damaged, the output of the current step is lost, so steps are small.
constexpr std::size_t kStepBytes = std::size_t{16} * 1024;

}  // namespace

base::Result<void> GzipLayer::refill(std::size_t wanted) {
  if (input_.empty()) input_.resize(kInputBytes);
  if (begin_ == end_) begin_ = end_ = 0;
  while (!source_ended_ && end_ - begin_ < wanted) {
    SHEAF_TRY_ASSIGN(const std::size_t count, source_.read(std::span(input_).subspan(end_)));
    source_ended_ = count == 0;
    end_ += count;
    bytes_in_ += count;
  }
  return {};
}

base::Result<std::size_t> GzipLayer::read(std::span<char> out) {
  if (!sniffed_) {
    SHEAF_TRY(refill(kMagicBytes));
    sniffed_ = true;
    if (base::is_gzip({input_.data() + begin_, end_ - begin_})) decoder_ = base::make_gzip_decoder();
  }
  if (decoder_) return decode(out);
  const std::size_t count = std::min(out.size(), end_ - begin_);
  if (count == 0) return source_ended_ ? base::Result<std::size_t>(0) : source_.read(out);
  std::memcpy(out.data(), input_.data() + begin_, count);
  begin_ += count;
  return count;
}

base::Result<std::size_t> GzipLayer::decode(std::span<char> out) {
  while (damage_.empty() && !out.empty()) {
    SHEAF_TRY(refill(1));
    const std::string_view in(input_.data() + begin_, end_ - begin_);
    auto step = decoder_->decode(in, out.first(std::min(out.size(), kStepBytes)));
    if (!step) {
      damage_ = std::move(step.error().message);
      break;
    }
    begin_ += step->consumed;
    if (step->produced > 0) return step->produced;
    if (step->consumed > 0 || !source_ended_) continue;
    if (!decoder_->may_end()) damage_ = "the gzip data ends in the middle: the file is truncated";
    break;
  }
  return 0;
}

base::Result<std::size_t> SitemapBytes::read(std::span<char> out) {
  if (problem_) return 0;
  SHEAF_TRY_ASSIGN(const std::size_t count, inner_.read(out));
  plain_bytes_ += count;
  problem_ = judge();
  const bool over_limit = problem_ && problem_->code != SitemapCode::decompress_failed;
  return over_limit ? 0 : count;
}

std::optional<SitemapFinding> SitemapBytes::judge() const {
  if (plain_bytes_ > limits_.plain_bytes)
    return SitemapFinding{
        SitemapCode::size_exceeded, 0,
        fmt::format("the sitemap is larger than the limit of {} bytes; the rest was not read",
                    limits_.plain_bytes)};
  const std::string& damage = outer_.damage().empty() ? inner_.damage() : outer_.damage();
  if (!damage.empty()) return SitemapFinding{SitemapCode::decompress_failed, 0, damage};
  if (!outer_.is_gzip() || plain_bytes_ < limits_.ratio_from) return std::nullopt;
  const std::uint64_t compressed = std::max(source_.size().value_or(0), outer_.bytes_in());
  if (plain_bytes_ / std::max(limits_.ratio, 1U) <= compressed) return std::nullopt;
  return SitemapFinding{
      SitemapCode::ratio_exceeded, 0,
      fmt::format("{} bytes of gzip give more than {} times as many ({} so far): a compression bomb",
                  compressed, limits_.ratio, plain_bytes_)};
}

}  // namespace sheaf::site
