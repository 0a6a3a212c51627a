#pragma once

#include "sheaf/base/error.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace sheaf::base {

/// Result of one call of `Decoder::decode`.
struct DecodeStep {
  std::size_t consumed = 0;
  std::size_t produced = 0;
};

/// A streaming decompressor. The caller must limit the size of the output.
class Decoder {
 public:
  virtual ~Decoder() = default;

  /// Consumes bytes of `in` and writes to `out`. Fails if the data is corrupt.
  virtual Result<DecodeStep> decode(std::string_view in, std::span<char> out) = 0;

  /// Whether the input may end here: the decoder is at the end of a member or frame, and all output was
  /// delivered.
  [[nodiscard]] virtual bool may_end() const = 0;
};

/// Decoder for brotli (RFC 7932), HTTP's "br". A stream has no magic number and no checksum.
std::unique_ptr<Decoder> make_brotli_decoder();

/// Whether the data begins with gzip's magic number (two bytes).
constexpr bool is_gzip(std::string_view first_bytes) { return first_bytes.starts_with("\x1f\x8b"); }

/// Decoders for gzip (RFC 1952). Concatenated members form one stream. Allocations do not depend on sizes
/// stated in the input.
std::unique_ptr<Decoder> make_gzip_decoder();       ///< uses ISA-L if the platform has it, else zlib
std::unique_ptr<Decoder> make_zlib_gzip_decoder();  ///< always uses zlib

/// Decoder for HTTP's "deflate": zlib data (RFC 1950), or raw deflate data, which some servers send under
/// that name. The first two bytes decide.
std::unique_ptr<Decoder> make_deflate_decoder(std::string_view first_bytes);

}  // namespace sheaf::base
