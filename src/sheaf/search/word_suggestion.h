#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sheaf::search {

/// How many letters must be changed, added, removed or swapped with their neighbour to make one word of the
/// other; `most` + 1 if it is more than `most`.
std::size_t edit_distance(std::u32string_view a, std::u32string_view b, std::size_t most);

/// The letters of a UTF-8 word.
std::u32string letters_of(std::string_view word);

/// How many mistakes a word of this length may have: one in a short word, two in a longer one.
constexpr std::size_t most_mistakes(std::size_t letters) { return letters < 5 ? 1 : 2; }

}  // namespace sheaf::search
