#include "sheaf/warc/warc_stream.h"

#include "sheaf/base/gzip_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace sheaf::warc {
namespace {

using base::Result;

constexpr std::size_t kRawBytes = std::size_t{256} << 10U;
constexpr std::size_t kStepBytes = std::size_t{256} << 10U;
// Each recovery is a new decoder, and bytes can be made so that one begins at every third of them.
constexpr std::size_t kMostRecoveries = 100'000;

constexpr std::string_view kGzipMagic = "\x1f\x8b\x08";
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

WarcStream::WarcStream(base::ByteSource& source, const FaultSink& on_fault)
    : source_(source), on_fault_(on_fault) {}

Result<std::string_view> WarcStream::peek(std::size_t wanted) {
  if (!std::exchange(is_open_, true)) SHEAF_TRY(open());
  while (filled_ - front_ < wanted && !ended_) SHEAF_TRY(fill());
  return std::string_view(buffer_).substr(front_, filled_ - front_);
}

void WarcStream::skip(std::size_t count) {
  front_ += count;
  offset_ += count;
  while (!ends_.empty() && ends_.front() <= offset_) ends_.pop_front();
}

std::optional<std::size_t> WarcStream::member_end(std::size_t from) const {
  const auto found = std::upper_bound(ends_.begin(), ends_.end(), offset_ + from);
  if (found == ends_.end()) return std::nullopt;
  return static_cast<std::size_t>(*found - offset_);
}

std::optional<std::uint64_t> WarcStream::bytes_left() const {
  const auto size = source_.size();
  if (make_decoder_ || !size) return std::nullopt;
  return *size > offset_ ? *size - offset_ : 0;
}

Result<void> WarcStream::open() {
  SHEAF_TRY(read_raw());
  return choose_decoder();
}

Result<void> WarcStream::choose_decoder() {
  if (raw().starts_with(kGzipMagic)) {
    make_decoder_ = base::make_gzip_decoder;
    magic_ = kGzipMagic;
  } else if (raw().starts_with(kDictionaryFrame)) {
    SHEAF_TRY(read_dictionary_frame());
    magic_ = kZstdMagic;
  } else if (raw().starts_with(kZstdMagic)) {
    SHEAF_TRY_ASSIGN(make_decoder_, frame_decoders({}));
    magic_ = kZstdMagic;
  }
  if (make_decoder_) decoder_ = make_decoder_();
  return {};
}

/// Without its dictionary nothing in the file can be decoded, so damage here is an error.
Result<void> WarcStream::read_dictionary_frame() {
  const auto cut = [&] {
    return base::fail(base::Errc::invalid_data,
                      fmt::format("{}: the zstd dictionary at its front is cut off or over {} bytes",
                                  source_.name(), kDictionaryBytes));
  };
  if (raw().size() < kSkippableHead) return cut();
  const std::size_t size = little_endian(raw().substr(4));
  if (size > kDictionaryBytes) return cut();
  while (raw().size() < kSkippableHead + size && !raw_ended_) SHEAF_TRY(read_raw());
  if (raw().size() < kSkippableHead + size) return cut();
  SHEAF_TRY_ASSIGN(const std::string dictionary, read_dictionary(raw().substr(kSkippableHead, size)));
  SHEAF_TRY_ASSIGN(make_decoder_, frame_decoders(dictionary));
  raw_front_ += kSkippableHead + size;
  return {};
}

/// Appends what the source has next.
Result<void> WarcStream::read_raw() {
  raw_.erase(0, std::exchange(raw_front_, 0));
  const std::size_t before = raw_.size();
  raw_.resize(before + kRawBytes);
  const auto count = source_.read(std::span(raw_).subspan(before));
  raw_.resize(before + (count ? *count : 0));
  if (!count) return std::unexpected(count.error());
  raw_ended_ = *count == 0;
  return {};
}

/// Room for another step behind what is filled.
void WarcStream::make_room() {
  if (front_ > filled_ / 2) {
    std::memmove(buffer_.data(), buffer_.data() + front_, filled_ - front_);
    filled_ -= std::exchange(front_, 0);
  }
  if (buffer_.size() - filled_ < kStepBytes)
    buffer_.resize(std::max(2 * buffer_.size(), filled_ + kStepBytes));
}

/// Adds some bytes to the buffer, or finds that there are no more.
Result<void> WarcStream::fill() {
  make_room();
  if (make_decoder_) return decode();
  if (raw().empty()) SHEAF_TRY(read_raw());
  const std::size_t count = std::min(raw().size(), buffer_.size() - filled_);
  std::memcpy(buffer_.data() + filled_, raw().data(), count);
  filled_ += count;
  raw_front_ += count;
  ended_ = raw_ended_ && raw().empty();
  return {};
}

Result<void> WarcStream::decode() {
  if (raw().empty() && !raw_ended_) SHEAF_TRY(read_raw());
  if (lost_) return recover({});
  const auto step = decoder_->decode(raw(), std::span(buffer_).subspan(filled_));
  if (!step) return recover(step.error());
  is_fresh_ = is_fresh_ && step->consumed == 0;
  filled_ += step->produced;
  raw_front_ += step->consumed;
  const bool stuck = step->consumed == 0 && step->produced == 0;
  if (decoder_->may_end() && !stuck) end_member();
  if (!stuck) return {};
  if (!raw_ended_) return read_raw();
  if (!decoder_->may_end() && !is_fresh_) report("the file ends in the middle of compressed data");
  ended_ = true;
  return {};
}

/// Goes on at the next place that looks like the start of a member.
Result<void> WarcStream::recover(const base::Error& error) {
  if (!std::exchange(lost_, true)) {
    report(fmt::format("{}; what follows is skipped up to the next record", error.message));
    end_member();
    // The damaged member begins with the first raw byte: it is not tried again.
    if ((is_fresh_ || decoder_->may_end()) && !raw().empty()) ++raw_front_;
  }
  const std::size_t found = raw().find(magic_);
  if (found == std::string_view::npos) {
    // The start of a member may be cut by the end of what was read.
    raw_front_ = std::max(raw_front_, raw_.size() - std::min(raw_.size(), magic_.size() - 1));
    if (!raw_ended_) return read_raw();
    ended_ = true;
    return {};
  }
  if (++recoveries_ > kMostRecoveries)
    return base::fail(base::Errc::invalid_data,
                      fmt::format("{} is damaged in more than {} places", source_.name(), kMostRecoveries));
  raw_front_ += found;
  decoder_ = make_decoder_();
  is_fresh_ = true;
  lost_ = false;
  return {};
}

void WarcStream::end_member() {
  if (ends_.empty() || ends_.back() != end_offset()) ends_.push_back(end_offset());
}

}  // namespace sheaf::warc
