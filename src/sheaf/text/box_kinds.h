#pragma once

#include <string_view>

namespace sheaf::text {

/// The display name of a kind of box ("note", "warning"), by the word that generators and Markdown dialects
/// use, in any case. Empty for other words.
std::string_view box_kind(std::string_view word);

}  // namespace sheaf::text
