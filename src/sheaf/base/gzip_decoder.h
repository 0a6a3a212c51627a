#pragma once

#include "sheaf/base/decoder.h"

#include <memory>
#include <string_view>

namespace sheaf::base {

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
