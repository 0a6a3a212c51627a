#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sheaf::extract {

/// Copies the first JSON object or array of a script's text to `out`, without white space between tokens.
/// Leaves out all text before and after it, such as comment marks and CDATA, backslashes that do not begin an
/// escape, and commas before a closing bracket. Replaces raw control characters in strings by spaces. Does
/// not check that the result is valid JSON. Returns false if there is no object or array, if it does not end,
/// or if it is nested deeper than `depth`.
bool repair_json(std::string_view script, std::size_t depth, std::string& out);

}  // namespace sheaf::extract
