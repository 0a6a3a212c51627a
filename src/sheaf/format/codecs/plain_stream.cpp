#include "sheaf/format/codecs/plain_stream.h"

#include "sheaf/base/counted_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace sheaf::format {
namespace {

constexpr std::size_t kInputBytes = std::size_t{128} * 1024;
constexpr std::size_t kMagicBytes = 4;

}  // namespace

PlainStream::PlainStream(std::unique_ptr<base::ByteSource> source, const Limits& limits)
    : source_(std::move(source)), limits_(limits), input_(kInputBytes) {}

std::unexpected<Finding> PlainStream::stop(Code code, std::string message) const {
  return std::unexpected(Finding{code, 0, plain_bytes_, {}, std::move(message)});
}

/// Reads until there is something to decode (at first: enough to detect the codec) or the source ends.
Read<void> PlainStream::refill() {
  const std::size_t wanted = decoder_ ? 1 : kMagicBytes;
  if (input_begin_ == input_end_) input_begin_ = input_end_ = 0;
  while (!source_ended_ && input_end_ - input_begin_ < wanted) {
    auto count = source_->read(std::span(input_).subspan(input_end_));
    if (!count) return stop(Code::read_failed, std::move(count.error().message));
    source_ended_ = *count == 0;
    input_end_ += *count;
    compressed_bytes_ += *count;
    if (compressed_bytes_ > limits_.compressed_bytes)
      return stop(Code::size_exceeded, fmt::format("the file is larger than the limit of {}",
                                                   base::counted(limits_.compressed_bytes, "byte", "bytes")));
  }
  if (!decoder_) {
    codec_ = sniff_codec({input_.data() + input_begin_, input_end_ - input_begin_});
    decoder_ = make_decoder(codec_);
  }
  return {};
}

Read<std::size_t> PlainStream::fill(std::span<char> out) {
  std::size_t filled = 0;
  while (filled < out.size()) {
    SHEAF_TRY(refill());
    const std::string_view in(input_.data() + input_begin_, input_end_ - input_begin_);
    auto step = decoder_->decode(in, out.subspan(filled));
    if (!step) return stop(Code::decompress_failed, std::move(step.error().message));
    input_begin_ += step->consumed;
    filled += step->produced;
    SHEAF_TRY(account(step->produced));
    if (step->produced == 0 && step->consumed == 0 && source_ended_) {
      if (!in.empty() || (!decoder_->may_end()))
        return stop(Code::decompress_failed,
                    fmt::format("the {} data ends in the middle after {} bytes: the file is truncated",
                                to_string(codec_), compressed_bytes_));
      break;
    }
  }
  return filled;
}

Read<void> PlainStream::account(std::size_t produced) {
  plain_bytes_ += produced;
  if (plain_bytes_ > limits_.decompressed_bytes)
    return stop(Code::size_exceeded, fmt::format("the file decompresses to more than the limit of {}",
                                                 base::counted(limits_.decompressed_bytes, "byte", "bytes")));
  if (codec_ == Codec::plain) return {};
  // Compare with the size of the whole file if it is known, because a part that compresses well is not a
  // bomb. If the source states size 0, or grows while it is read, the bytes read so far count.
  const std::uint64_t compressed = std::max(source_->size().value_or(0), compressed_bytes_);
  if (exceeds_ratio(plain_bytes_, compressed, limits_))
    return stop(
        Code::ratio_exceeded,
        fmt::format("{} compressed bytes give more than {} times as many ({} so far): a compression bomb",
                    compressed, limits_.ratio, plain_bytes_));
  return {};
}

}  // namespace sheaf::format
