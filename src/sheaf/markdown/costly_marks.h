#pragma once

#include <string>
#include <string_view>

// cmark-gfm 0.29 looks at every delimiter of emphasis before a link again when the link ends, and at all of a
// text for each bare mail address in it. So a paragraph's time could grow with the square of its size: 300 KB
// took 14 s. Marks beyond a bound are exchanged for characters that mean nothing to it, and put back into the
// HTML that it made. That leaves them as text, and code and addresses as they are.
namespace sheaf::markdown {

/// False, and `hidden` is left alone, if no block of the text has too many marks. Linear in the text.
bool hide_costly_marks(std::string_view markdown, std::string& hidden);

/// Puts them back.
void show_hidden_marks(std::string& html);

}  // namespace sheaf::markdown
