#pragma once

#include "sheaf/base/ascii.h"

#include <string_view>

namespace sheaf::base {

/// Whether one or both slashes after the scheme are missing: "https:/example.com". A browser reads this as
/// https://example.com. Where the scheme is optional, it could also mean the host `https`. It is a typing
/// error, so we refuse it.
inline bool is_slash_missing(std::string_view text) {
  for (const std::string_view scheme : {"http:", "https:"})
    if (lower_text(text.substr(0, scheme.size())) == scheme)
      return !text.substr(scheme.size()).starts_with("//");
  return false;
}

}  // namespace sheaf::base
