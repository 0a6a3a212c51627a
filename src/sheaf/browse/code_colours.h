#pragma once

#include "sheaf/markup/html_writer.h"

#include <string_view>

namespace sheaf::browse {

/// Writes code with comments, strings, numbers and keywords marked. One set of rules serves all languages;
/// the name of the language only decides where they conflict (how comments begin). Code in an unknown
/// language gets fewer colours, but is never cut wrongly. Takes linear time.
void write_code(markup::HtmlWriter& out, std::string_view code, std::string_view language);

}  // namespace sheaf::browse
