#pragma once

#include "sheaf/base/ascii.h"

#include <string_view>

namespace sheaf::base {

/// Whether the slashes after the scheme are missing, or one of them: "https:/example.com". A browser reads
/// that as https://example.com, and where the scheme may be left out it would name the host `https`; who
/// typed it may have meant anything, so it is better refused.
inline bool is_slash_missing(std::string_view text) {
  for (const std::string_view scheme : {"http:", "https:"})
    if (lower_text(text.substr(0, scheme.size())) == scheme)
      return !text.substr(scheme.size()).starts_with("//");
  return false;
}

}  // namespace sheaf::base
