#pragma once

#include "sheaf/base/ascii.h"

#include <string_view>

namespace sheaf::base {

/// Whether one or both slashes after the scheme are missing: "https:/example.com". Browsers read this as
/// https://example.com, but where the scheme is optional it could also mean the host `https`. So callers
/// refuse it as a typing error.
inline bool is_slash_missing(std::string_view text) {
  for (const std::string_view scheme : {"http:", "https:"})
    if (lower_text(text.substr(0, scheme.size())) == scheme)
      return !text.substr(scheme.size()).starts_with("//");
  return false;
}

}  // namespace sheaf::base
