#pragma once

#include <cstddef>
#include <string_view>

namespace sheaf::extract {

/// The ASCII letter that stands for a letter of the Latin, Cyrillic or Greek alphabet when names of months
/// are compared: without case and without accents. '\0' for everything that is no such letter.
char fold_letter(char32_t letter);

/// 1 to 12 for the folded name of a month or its usual abbreviation, in the form dates are written with ("15
/// marca", "15 marta"); 0 for any other word.
int month_of(std::string_view folded);

/// No name of a month is longer.
inline constexpr std::size_t kLongestMonth = 16;

}  // namespace sheaf::extract
