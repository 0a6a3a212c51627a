#pragma once

#include <string_view>

namespace sheaf::text {

/// Returns the display name ("Note", "Warning") of a kind of box, for the word that site generators and
/// Markdown dialects use, in any case. Empty for other words.
std::string_view admonition_kind(std::string_view word);

}  // namespace sheaf::text
