#pragma once

#include <string>
#include <string_view>

namespace sheaf::site {

/// Untrusted text for a message: shortened, and without terminal control characters.
std::string quote(std::string_view text);

/// Whether two texts are equal, ignoring ASCII case.
bool same_letters(std::string_view a, std::string_view b) noexcept;

}  // namespace sheaf::site
