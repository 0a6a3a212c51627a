#pragma once

#include <string_view>

namespace sheaf::doctor {

/// Part of the different words of `text` that occur in `html`, 0 to 1. Markup counts as text, so a word is
/// never missed because it is in an attribute. A text of a few words says nothing: 1.
double share_of_words(std::string_view text, std::string_view html);

}  // namespace sheaf::doctor
