#include "sheaf/site/sitemap_input.h"

#include "sheaf/base/ascii.h"
#include "sheaf/base/decoder.h"
#include "sheaf/base/hex.h"
#include "sheaf/site/site_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

namespace {

constexpr std::size_t kBufferBytes = std::size_t{64} * 1024;
constexpr std::string_view kUtf8Mark = "\xef\xbb\xbf";
constexpr std::size_t kReferenceMax = 10;  // &#x10FFFF; and &#1114111;

bool is_wide(std::string_view first_bytes) {
  using namespace std::string_view_literals;
  return first_bytes.starts_with("\xfe\xff"sv) || first_bytes.starts_with("\xff\xfe"sv) ||
         first_bytes.starts_with("\0<"sv) || first_bytes.starts_with("<\0"sv) ||
         first_bytes.starts_with("\0\0"sv);
}

bool is_hex_digit(char c) { return base::hex_value(c) >= 0; }

/// Whether `text`, which begins with an ampersand, begins with a predefined XML reference.
bool is_reference(std::string_view text) {
  text = text.substr(1, kReferenceMax - 1);
  const std::size_t end = text.find(';');
  if (end == std::string_view::npos) return false;
  text = text.substr(0, end);
  if (text.starts_with("#x")) return text.size() > 2 && std::ranges::all_of(text.substr(2), is_hex_digit);
  if (text.starts_with('#')) return text.size() > 1 && std::ranges::all_of(text.substr(1), base::is_digit);
  constexpr std::array<std::string_view, 5> kPredefined = {"amp", "lt", "gt", "quot", "apos"};
  return std::ranges::find(kPredefined, text) != kPredefined.end();
}

}  // namespace

base::Result<void> SitemapInput::refill(std::size_t wanted) {
  if (ended_ || end_ - begin_ >= wanted) return {};
  if (begin_ > 0) std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  while (!ended_ && end_ < wanted) {
    SHEAF_TRY_ASSIGN(const std::size_t count, bytes_.read(std::span(buffer_).subspan(end_)));
    ended_ = count == 0;
    end_ += count;
  }
  return {};
}

base::Result<void> SitemapInput::start() {
  buffer_.resize(kBufferBytes);
  SHEAF_TRY(refill(kReferenceMax));
  repairs_ = !is_wide(available());
  return repairs_ ? skip_leading_space() : base::Result<void>();
}

base::Result<void> SitemapInput::skip_leading_space() {
  const std::size_t mark = available().starts_with(kUtf8Mark) ? kUtf8Mark.size() : 0;
  if (end_ - begin_ <= mark || !base::is_xml_space(buffer_[begin_ + mark])) return {};
  begin_ += mark;
  while (begin_ < end_ && base::is_xml_space(buffer_[begin_])) {
    if (buffer_[begin_++] == '\n') ++first_line_;
    if (begin_ == end_) SHEAF_TRY(refill(1));
  }
  line_ = first_line_;
  if (!is_text())
    report_.add(SitemapCode::leading_space, 1, "there is white space before the XML; it was skipped");
  return refill(kReferenceMax);
}

bool SitemapInput::is_text() const {
  std::string_view text = available();
  if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
  constexpr std::string_view kScheme = "http";
  const auto same = [](char a, char b) { return (a | 0x20) == b; };
  return text.size() >= kScheme.size() && std::ranges::equal(text.substr(0, kScheme.size()), kScheme, same);
}

bool SitemapInput::make_available(std::size_t wanted) {
  if (error_) return false;
  if (auto done = refill(wanted); !done) error_ = std::move(done.error());
  return !error_ && begin_ < end_;
}

std::size_t SitemapInput::take(std::span<char> out) {
  const std::size_t count = std::min(out.size(), end_ - begin_);
  std::memcpy(out.data(), buffer_.data() + begin_, count);
  begin_ += count;
  return count;
}

std::size_t SitemapInput::fill_raw(std::span<char> out) {
  std::size_t filled = 0;
  while (filled < out.size() && make_available(1)) filled += take(out.subspan(filled));
  return filled;
}

std::size_t SitemapInput::fill(std::span<char> out) {
  if (!repairs_) return fill_raw(out);
  std::size_t filled = 0;
  while (filled < out.size()) {
    const std::size_t room = out.size() - filled;
    if (!inserted_.empty()) {
      const std::size_t count = std::min(room, inserted_.size());
      std::memcpy(out.data() + filled, inserted_.data(), count);
      inserted_.remove_prefix(count);
      filled += count;
      continue;
    }
    if (!make_available(1)) break;
    const std::string_view text = available().substr(0, room);
    const std::size_t ampersand = text.find('&');
    if (ampersand == 0) {
      filled += take_ampersand(out.subspan(filled));
      continue;
    }
    const std::size_t count = take(out.subspan(filled, std::min(text.size(), ampersand)));
    line_ += static_cast<std::uint64_t>(std::ranges::count(out.subspan(filled, count), '\n'));
    filled += count;
  }
  return filled;
}

std::size_t SitemapInput::take_ampersand(std::span<char> out) {
  if (!make_available(kReferenceMax)) return 0;
  if (!is_reference(available())) {
    report_.add(SitemapCode::bare_ampersand, line_, "there is an unescaped ampersand; it was read as &amp;");
    inserted_ = "amp;";
  }
  return take(out.subspan(0, 1));
}

}  // namespace sheaf::site
