#pragma once

#include <cstddef>
#include <string_view>

namespace sheaf::extract {

/// The ASCII letter to which a letter of the Latin, Cyrillic or Greek alphabet is folded to compare names of
/// months: lowercase, without accents. '\0' for any other character.
char fold_letter(char32_t letter);

/// 1 to 12 for the folded name of a month or its usual abbreviation, in the grammatical form used in dates
/// ("15 marca", "15 marta"); 0 for any other word.
int month_of(std::string_view folded);

/// Maximum size of a month's name.
inline constexpr std::size_t kMaxMonthLength = 16;

}  // namespace sheaf::extract
