#pragma once

#include <string_view>

namespace sheaf::base {

/// Whether a text matches a pattern in which `*` stands for anything, also nothing; every other character is
/// itself, `?` too, which is common in URLs. Takes time by the product of the sizes at worst.
bool matches_wildcard(std::string_view pattern, std::string_view text) noexcept;

}  // namespace sheaf::base
