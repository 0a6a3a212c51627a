#pragma once

#include <string_view>

namespace sheaf::base {

/// Whether a text matches a pattern. `*` matches any number of characters. Every other character is literal,
/// including `?`, because it is common in URLs. Worst-case time is the product of the two sizes.
bool matches_wildcard(std::string_view pattern, std::string_view text) noexcept;

}  // namespace sheaf::base
