#pragma once

#include <string_view>

namespace sheaf::extract {

/// Whether a link leads to a place on its own page and its text is only a sign ("#", U+00B6, a chain, an
/// arrow). Such links serve to copy the URL of a heading or to return from a footnote; they are not content.
bool is_permalink(std::string_view href, std::string_view text);

}  // namespace sheaf::extract
