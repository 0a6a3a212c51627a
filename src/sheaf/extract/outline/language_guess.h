#pragma once

#include <cstddef>
#include <string_view>

namespace sheaf::extract {

inline constexpr std::size_t kGuessedBytes = 1200;

/// Guesses the language of a text from its script and its function words ("the", "und"); returns a BCP 47
/// tag, or an empty view if the text is too short or too mixed. Looks at the first kGuessedBytes only.
std::string_view guess_language(std::string_view text);

}  // namespace sheaf::extract
