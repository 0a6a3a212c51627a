#pragma once

#include "sheaf/browse/html_writer.h"

#include <string_view>

namespace sheaf::browse {

/// Writes code with comments, strings, numbers and keywords marked. One set of rules for all languages,
/// chosen by the name of the language only where they conflict (what begins a comment); text in an unknown
/// language is coloured less, never wrongly cut. Linear in the size of the code.
void write_code(HtmlWriter& out, std::string_view code, std::string_view language);

}  // namespace sheaf::browse
