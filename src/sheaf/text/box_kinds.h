#pragma once

#include <string_view>

namespace sheaf::text {

/// The name that a kind of box ("note", "warning") is shown by, for a word that generators and Markdown
/// dialects write for it, in any case; empty for other words.
std::string_view box_kind(std::string_view word);

}  // namespace sheaf::text
