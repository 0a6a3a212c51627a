#pragma once

#include "sheaf/base/decoder.h"

#include <memory>

namespace sheaf::base {

/// Decoder for brotli (RFC 7932), HTTP's "br". A stream has no magic number and no checksum.
std::unique_ptr<Decoder> make_brotli_decoder();

}  // namespace sheaf::base
