#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::cli {

/// Returns the word that was probably meant: at most a third of its characters differ (wrong, missing, extra
/// or swapped), or it is the only word that begins with `typed`. Returns nullopt if no word is that similar.
std::optional<std::string> nearest_word(std::string_view typed, const std::vector<std::string>& words);

}  // namespace sheaf::cli
