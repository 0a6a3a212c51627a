#pragma once

#include <cstddef>
#include <string_view>

namespace sheaf::extract {

inline constexpr std::size_t kGuessedBytes = 1200;

/// The language of a text as a BCP 47 tag, by its script and by the small words every text is full of. Empty
/// where a text is too short or too mixed to tell. Looks at the first kGuessedBytes only.
std::string_view guess_language(std::string_view text);

}  // namespace sheaf::extract
