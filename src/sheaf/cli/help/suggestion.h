#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::cli {

/// The word that was probably meant by a misspelt one: at most a third of its characters differ (wrong,
/// missing, surplus, or two in the wrong order), or it is the beginning of only one word. Nothing where no
/// word is that near.
std::optional<std::string> nearest_word(std::string_view typed, const std::vector<std::string>& words);

}  // namespace sheaf::cli
