#pragma once

#include "sheaf/base/decoder.h"

#include <memory>
#include <string_view>

namespace sheaf::base {

/// Whether these are the first bytes of gzip data; two are enough.
constexpr bool is_gzip(std::string_view first_bytes) { return first_bytes.starts_with("\x1f\x8b"); }

/// Decoders of gzip (RFC 1952). Concatenated members count as one stream. They allocate nothing by the
/// input's word.
std::unique_ptr<Decoder> make_gzip_decoder();       ///< ISA-L where the platform has it, else zlib
std::unique_ptr<Decoder> make_zlib_gzip_decoder();  ///< zlib in any case

/// Decoder of what HTTP calls "deflate": zlib data (RFC 1950), or bare deflate data, which some servers send
/// under that name. The first two bytes tell which it is.
std::unique_ptr<Decoder> make_deflate_decoder(std::string_view first_bytes);

}  // namespace sheaf::base
