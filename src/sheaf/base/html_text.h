#pragma once

#include <string>
#include <string_view>

namespace sheaf::base {

/// Appends text as HTML that a parser reads back unchanged, in an element or between quotes.
void append_html_text(std::string& out, std::string_view text);
std::string html_text(std::string_view text);

/// The same for pages that people read. Text from sites can deceive them: control characters, bidirectional
/// overrides and invalid UTF-8 become U+FFFD.
void append_visible_html(std::string& out, std::string_view text);
std::string visible_html(std::string_view text);

}  // namespace sheaf::base
