#pragma once

#include <string_view>

namespace sheaf::html {

/// The language of a text as a BCP 47 tag, by its script and by the small words every text is full of. Empty
/// where a text is too short or too mixed to tell. Looks at the first few thousand bytes only.
std::string_view guess_language(std::string_view text);

}  // namespace sheaf::html
