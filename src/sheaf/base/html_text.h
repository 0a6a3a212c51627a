#pragma once

#include <string>
#include <string_view>

namespace sheaf::base {

/// Escapes text for HTML, for use in an element or in a quoted attribute value. A parser restores the text.
void append_html_text(std::string& out, std::string_view text);
std::string html_text(std::string_view text);

/// The same, for text from sites that is shown to people. Replaces characters that could deceive them
/// (control characters, bidirectional overrides) and invalid UTF-8 with U+FFFD.
void append_visible_html(std::string& out, std::string_view text);

}  // namespace sheaf::base
