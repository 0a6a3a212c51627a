#pragma once

#include <sheaf/page.h>

#include <array>
#include <cstdint>

namespace sheaf::format {

/// Hash of everything in a page except `modified`: equal fingerprints mean equal content.
using PageFingerprint = std::array<std::uint8_t, 16>;

PageFingerprint fingerprint_of(const Page& page);

}  // namespace sheaf::format
