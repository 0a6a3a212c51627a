#pragma once

#include <string_view>

namespace sheaf::doctor {

/// Returns the share of the distinct words of `text` that occur in `html`, 0 to 1. Markup counts as text, so
/// a word in an attribute is found too. Returns 1 for a text of only a few words, because that proves
/// nothing.
double share_of_words(std::string_view text, std::string_view html);

}  // namespace sheaf::doctor
