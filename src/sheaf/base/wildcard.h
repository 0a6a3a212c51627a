#pragma once

#include <string_view>

namespace sheaf::base {

/// Whether a text matches a pattern. `*` matches any characters, including none. Every other character is
/// literal, also `?`, which is common in URLs. Worst-case time is the product of the sizes.
bool matches_wildcard(std::string_view pattern, std::string_view text) noexcept;

}  // namespace sheaf::base
