#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/format/codecs/codec.h"
#include "sheaf/format/finding.h"
#include "sheaf/format/limits.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sheaf::format {

/// The uncompressed bytes of a collection file. Detects the codec by its magic bytes and enforces all limits
/// on sizes and ratio before bytes are returned.
class PlainStream {
 public:
  PlainStream(std::unique_ptr<base::ByteSource> source, const Limits& limits);

  /// Fills `out`; returns less only at the end of the stream. Errors are final: decompress_failed,
  /// ratio_exceeded, size_exceeded, read_failed. Bytes decoded in the same call as an error are not returned,
  /// so that damage is reported as such and not as invalid JSON.
  Read<std::size_t> fill(std::span<char> out);

  [[nodiscard]] Codec codec() const { return codec_; }
  [[nodiscard]] std::uint64_t compressed_bytes() const { return compressed_bytes_; }
  [[nodiscard]] std::uint64_t plain_bytes() const { return plain_bytes_; }

 private:
  Read<void> refill();
  Read<void> account(std::size_t produced);
  [[nodiscard]] std::unexpected<Finding> stop(Code code, std::string message) const;

  std::unique_ptr<base::ByteSource> source_;
  std::unique_ptr<Decoder> decoder_;  ///< set once the first bytes are known
  Limits limits_;
  Codec codec_ = Codec::plain;
  std::vector<char> input_;
  std::size_t input_begin_ = 0;
  std::size_t input_end_ = 0;
  bool source_ended_ = false;
  std::uint64_t compressed_bytes_ = 0;  ///< read from the source so far
  std::uint64_t plain_bytes_ = 0;
};

}  // namespace sheaf::format
