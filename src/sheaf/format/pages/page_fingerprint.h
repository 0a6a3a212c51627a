#pragma once

#include <sheaf/page.h>

#include <array>
#include <cstdint>

namespace sheaf::format {

/// Of everything in a page but `modified`: two pages with the same one say the same.
using PageFingerprint = std::array<std::uint8_t, 16>;

PageFingerprint fingerprint_of(const Page& page);

}  // namespace sheaf::format
