#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace sheaf::extract {

/// Copies the first JSON object or array of a script's text to `out`, without white space between its parts.
/// Comment marks and CDATA around it, text before and after it are left out; raw control characters in
/// strings become spaces, backslashes that begin no escape and commas before a closing bracket go. Whether
/// the result is JSON is for a parser to say. False: there is none, it does not end, or it is nested deeper
/// than `depth`.
bool repair_json(std::string_view script, std::size_t depth, std::string& out);

}  // namespace sheaf::extract
