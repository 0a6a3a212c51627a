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
// Members in memory that a thread decodes in a turn, and how much room there is for what they become: HTML
// shrinks to a sixth.
constexpr std::size_t kRawOfThread = std::size_t{512} << 10U;
constexpr std::size_t kRoomForRaw = 10;
constexpr unsigned kMostThreads = 4;
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

WarcStream::WarcStream(base::ByteSource& source, const FaultSink& on_fault, unsigned threads)
    : source_(source), on_fault_(on_fault), threads_(std::clamp(threads, 1U, kMostThreads)) {}

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
    members_.emplace(threads_);
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

/// Room for `size` more bytes behind what is filled.
void WarcStream::make_room(std::size_t size) {
  if (front_ > filled_ / 2) {
    std::memmove(buffer_.data(), buffer_.data() + front_, filled_ - front_);
    filled_ -= std::exchange(front_, 0);
  }
  if (buffer_.size() - filled_ < size) buffer_.resize(std::max(2 * buffer_.size(), filled_ + size));
}

/// Adds some bytes to the buffer, or finds that there are no more.
Result<void> WarcStream::fill() {
  make_room(kStepBytes);
  if (make_decoder_) return decode();
  if (!raw().empty()) {  // what was read to recognise the file
    const std::size_t count = std::min(raw().size(), buffer_.size() - filled_);
    std::memcpy(buffer_.data() + filled_, raw().data(), count);
    filled_ += count;
    raw_front_ += count;
    return {};
  }
  SHEAF_TRY_ASSIGN(const std::size_t count, source_.read(std::span(buffer_).subspan(filled_)));
  filled_ += count;
  ended_ = count == 0;
  return {};
}

Result<void> WarcStream::decode() {
  if (raw().empty() && !raw_ended_) SHEAF_TRY(read_raw());
  if (lost_) return recover({});
  const bool at_member = is_fresh_ || decoder_->may_end();
  if (members_ && streamed_ == 0 && at_member) {
    SHEAF_TRY_ASSIGN(const bool decoded, decode_whole_members());
    if (decoded) return {};
    make_room(kStepBytes);
  }
  const auto step = decoder_->decode(raw(), std::span(buffer_).subspan(filled_));
  if (!step) return recover(step.error());
  is_fresh_ = is_fresh_ && step->consumed == 0;
  filled_ += step->produced;
  raw_front_ += step->consumed;
  streamed_ -= std::min(streamed_, step->consumed);
  const bool stuck = step->consumed == 0 && step->produced == 0;
  if (decoder_->may_end() && !stuck) end_member();
  if (!stuck) return {};
  if (!raw_ended_) return read_raw();
  if (!decoder_->may_end() && !is_fresh_) report("the file ends in the middle of compressed data");
  ended_ = true;
  return {};
}

/// Decodes members that are in memory as a whole, the usual case. False: the next one is not, or is damaged,
/// and has to be decoded step by step.
Result<bool> WarcStream::decode_whole_members() {
  while (raw().size() < threads_ * kRawOfThread && !raw_ended_) SHEAF_TRY(read_raw());
  make_room(std::max(kStepBytes, kRoomForRaw * std::min(raw().size(), threads_ * kRawOfThread)));
  const DecodedMembers decoded = members_->decode(raw(), std::span(buffer_).subspan(filled_));
  const std::uint64_t start = end_offset();
  for (const std::size_t end : decoded.ends)
    if (ends_.empty() || ends_.back() != start + end) ends_.push_back(start + end);
  filled_ += decoded.produced;
  raw_front_ += decoded.consumed;
  // Trying again at every member would make damage expensive.
  if (decoded.consumed == 0) streamed_ = kRawOfThread;
  return decoded.consumed > 0;
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
  streamed_ -= std::min(streamed_, found);
  decoder_ = make_decoder_();
  is_fresh_ = true;
  lost_ = false;
  return {};
}

void WarcStream::end_member() {
  if (ends_.empty() || ends_.back() != end_offset()) ends_.push_back(end_offset());
}

}  // namespace sheaf::warc
