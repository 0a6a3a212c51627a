#pragma once

#include <string_view>

namespace sheaf::extract {

/// A link to a place in its own page whose text is only a sign ("#", U+00B6, a chain, an arrow): for copying
/// the address of a heading or going back from a footnote, no part of what the page says.
bool is_permalink(std::string_view href, std::string_view text);

}  // namespace sheaf::extract
