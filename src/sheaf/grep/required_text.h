#pragma once

#include "sheaf/text/text_finder.h"

#include <string>
#include <string_view>
#include <vector>

namespace sheaf::grep {

/// Returns texts of which every match of a pattern contains at least one. The JSON of a page has them
/// unchanged, except for \u escapes. Empty if the pattern does not require any such text, or if it is too
/// unusual to tell.
///
/// These texts make searching fast: a page without any of them cannot match, and its JSON need not be parsed
/// to see that.
std::vector<std::string> required_texts(std::string_view pattern, text::LetterCase letters);

/// Like required_texts(), for a literal text.
std::vector<std::string> required_texts_of_literal(std::string_view literal, text::LetterCase letters);

}  // namespace sheaf::grep
