#include "sheaf/warc/warc_stream.h"

#include "sheaf/base/decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::warc {
namespace {

using base::Result;

constexpr std::size_t kRawBytes = std::size_t{256} << 10U;
constexpr std::size_t kStepBytes = std::size_t{256} << 10U;
// Compressed bytes that each thread decodes at a time.
constexpr std::size_t kRawOfThread = std::size_t{512} << 10U;
constexpr unsigned kMaxThreads = 4;
// Each recovery makes a new decoder, and a file can be made to need one at every third byte.
constexpr std::size_t kMaxRecoveries = 100'000;

constexpr std::string_view kGzipMagic = "\x1f\x8b\x08";
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";

std::uint32_t little_endian(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[i]);
  return value;
}

}  // namespace

WarcStream::WarcStream(base::ByteSource& source, const FaultSink& on_fault, unsigned threads)
    : source_(source), on_fault_(on_fault), threads_(std::clamp(threads, 1U, kMaxThreads)) {}

Result<std::string_view> WarcStream::peek(std::size_t wanted) {
  if (!std::exchange(is_open_, true)) SHEAF_TRY(open());
  while (buffer_.size() < wanted && !ended_) SHEAF_TRY(fill());
  return buffer_.bytes();
}

void WarcStream::skip(std::size_t count) {
  buffer_.drop(count);
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
  if (raw_.bytes().starts_with(kGzipMagic)) {
    make_decoder_ = base::make_gzip_decoder;
    members_.emplace(threads_);
    magic_ = kGzipMagic;
  } else if (raw_.bytes().starts_with(kDictionaryFrame)) {
    SHEAF_TRY(read_dictionary_frame());
    magic_ = kZstdMagic;
  } else if (raw_.bytes().starts_with(kZstdMagic)) {
    SHEAF_TRY_ASSIGN(make_decoder_, frame_decoders({}));
    magic_ = kZstdMagic;
  }
  if (make_decoder_) decoder_ = make_decoder_();
  return {};
}

/// Without its dictionary nothing in the file can be decoded, so damage here is an error and not only a
/// fault.
Result<void> WarcStream::read_dictionary_frame() {
  const auto cut = [&] {
    return base::fail(base::Errc::invalid_data,
                      fmt::format("{}: the zstd dictionary at its front is cut off or over {} bytes",
                                  source_.name(), kDictionaryBytes));
  };
  if (raw_.size() < kSkippableHead) return cut();
  const std::size_t size = little_endian(raw_.bytes().substr(4));
  if (size > kDictionaryBytes) return cut();
  while (raw_.size() < kSkippableHead + size && !raw_ended_) SHEAF_TRY(read_raw());
  if (raw_.size() < kSkippableHead + size) return cut();
  SHEAF_TRY_ASSIGN(const std::string dictionary, read_dictionary(raw_.bytes().substr(kSkippableHead, size)));
  SHEAF_TRY_ASSIGN(make_decoder_, frame_decoders(dictionary));
  raw_.drop(kSkippableHead + size);
  return {};
}

/// Appends the next bytes of the source to `raw_`.
Result<void> WarcStream::read_raw() {
  raw_.make_room(kRawBytes);
  SHEAF_TRY_ASSIGN(const std::size_t count, source_.read(raw_.room().first(kRawBytes)));
  raw_.add(count);
  raw_ended_ = count == 0;
  return {};
}

/// Adds some bytes to the buffer, or finds that there are no more.
Result<void> WarcStream::fill() {
  if (make_decoder_) return decode();
  if (raw_.size() > 0) {  // the bytes that were read to detect the format
    std::swap(buffer_, raw_);
    return {};
  }
  buffer_.make_room(kStepBytes);
  SHEAF_TRY_ASSIGN(const std::size_t count, source_.read(buffer_.room()));
  buffer_.add(count);
  ended_ = count == 0;
  return {};
}

Result<void> WarcStream::decode() {
  if (is_at_member()) {
    SHEAF_TRY_ASSIGN(const bool decoded, decode_whole_members());
    if (decoded) return {};
  }
  if (raw_.size() == 0 && !raw_ended_) SHEAF_TRY(read_raw());
  if (is_resyncing_) return recover({});
  buffer_.make_room(kStepBytes);
  const auto step = decoder_->decode(raw_.bytes(), buffer_.room());
  if (!step) return recover(step.error());
  is_fresh_ = is_fresh_ && step->consumed == 0;
  buffer_.add(step->produced);
  raw_.drop(step->consumed);
  bytes_to_stream_ -= std::min(bytes_to_stream_, step->consumed);
  const bool stuck = step->consumed == 0 && step->produced == 0;
  if (decoder_->may_end() && !stuck) add_member_end(end_offset());
  if (!stuck) return {};
  if (!raw_ended_) return read_raw();
  if (!decoder_->may_end() && !is_fresh_) report("the file ends in the middle of compressed data");
  ended_ = true;
  return {};
}

/// Whether whole gzip members may come next.
bool WarcStream::is_at_member() const {
  return members_ && bytes_to_stream_ == 0 && !is_resyncing_ && (is_fresh_ || decoder_->may_end());
}

/// Reads the next bytes, and lets the threads begin to decode them.
Result<void> WarcStream::begin_members() {
  while (raw_.size() < threads_ * kRawOfThread && !raw_ended_) SHEAF_TRY(read_raw());
  members_->begin(raw_.bytes(), std::exchange(spare_, {}));
  return {};
}

/// Decodes members that are completely in memory, the usual case. Returns false if the next member is
/// incomplete or damaged, and so has to be decoded step by step.
Result<bool> WarcStream::decode_whole_members() {
  if (pieces_.empty()) {
    SHEAF_TRY(std::exchange(ahead_, {}));
    if (!members_->has_begun()) SHEAF_TRY(begin_members());
    DecodedMembers decoded = members_->finish();
    raw_.drop(decoded.consumed);
    // Trying again at every member would make damaged files slow.
    if (decoded.consumed == 0) bytes_to_stream_ = kRawOfThread;
    if (decoded.consumed == 0) return false;
    for (MemberPiece& piece : decoded.pieces) pieces_.push_back(std::move(piece));
    if (threads_ > 1) ahead_ = begin_members();
  }
  take_piece();
  return true;
}

/// Appends the next piece to the buffer. Usually this puts the rest of the buffer in front of the piece
/// instead, which copies less.
void WarcStream::take_piece() {
  MemberPiece piece = std::move(pieces_.front());
  pieces_.pop_front();
  for (const std::size_t end : piece.ends) add_member_end(end_offset() + end);
  if (piece.bytes.prepend(buffer_.bytes()))
    std::swap(buffer_, piece.bytes);
  else
    buffer_.append(piece.bytes.bytes());
  spare_.push_back(std::move(piece.bytes));
}

/// Continues at the next place that looks like the start of a member.
Result<void> WarcStream::recover(const base::Error& error) {
  if (!std::exchange(is_resyncing_, true)) {
    report(fmt::format("{}; what follows is skipped up to the next record", error.message));
    add_member_end(end_offset());
    // The damaged member begins with the first raw byte. Dropping that byte prevents a second attempt.
    if ((is_fresh_ || decoder_->may_end()) && raw_.size() > 0) raw_.drop(1);
  }
  const std::size_t found = raw_.bytes().find(magic_);
  if (found == std::string_view::npos) {
    // The start of a member may be cut off by the end of what was read.
    raw_.drop(raw_.size() - std::min(raw_.size(), magic_.size() - 1));
    if (!raw_ended_) return read_raw();
    ended_ = true;
    return {};
  }
  if (++recoveries_ > kMaxRecoveries)
    return base::fail(base::Errc::invalid_data,
                      fmt::format("{} is damaged in more than {} places", source_.name(), kMaxRecoveries));
  raw_.drop(found);
  bytes_to_stream_ -= std::min(bytes_to_stream_, found);
  decoder_ = make_decoder_();
  is_fresh_ = true;
  is_resyncing_ = false;
  return {};
}

void WarcStream::add_member_end(std::uint64_t offset) {
  if (ends_.empty() || ends_.back() != offset) ends_.push_back(offset);
}

}  // namespace sheaf::warc
