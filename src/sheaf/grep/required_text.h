#pragma once

#include "sheaf/text/text_finder.h"

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::grep {

/// Texts of which every match of a pattern contains at least one, in a form that stands unchanged in the JSON
/// of a page, except for \u escapes. Empty if the pattern does not require any such text, or is too unusual
/// to tell.
///
/// They are what makes searching fast: a page without them cannot match, and to see that, its JSON need not
/// even be parsed.
std::vector<std::string> required_texts(std::string_view pattern, text::LetterCase letters);

/// The same for a text to be found as it is.
std::vector<std::string> required_texts_of_literal(std::string_view literal, text::LetterCase letters);

}  // namespace sheaf::grep
