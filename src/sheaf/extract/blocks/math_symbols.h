#pragma once

#include <string>
#include <string_view>

namespace sheaf::extract {

/// Appends the text of a formula as TeX: signs as commands, mathematical letters as letters in a style. Parts
/// it from a command before it.
void append_tex(std::string& out, std::string_view text);

/// Appends TeX in braces, or as it is if it is a single character.
void append_tex_argument(std::string& out, std::string_view tex);

/// The command for a name that TeX writes upright ("\sin"); empty if it has none.
std::string_view tex_function(std::string_view name);

/// The command for a sign above (or below) a formula: "\hat", "\overline". Empty if there is none.
std::string_view tex_accent(std::string_view sign, bool above, bool wide);

}  // namespace sheaf::extract
