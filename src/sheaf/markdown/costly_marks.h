#pragma once

#include <string>
#include <string_view>

// Bounds the running time of cmark-gfm 0.29, which can be quadratic in the size of a paragraph: 300 KB took
// 14 s. At the end of each link it visits all emphasis delimiters before the link again, and for each bare
// mail address the whole text. So marks beyond a limit are replaced with characters that have no meaning, and
// restored in the resulting HTML, where they appear as text. Code and URLs do not change.
namespace sheaf::markdown {

/// Copies the text to `hidden` and replaces the marks beyond the limit. If no block of the text has too many
/// marks, returns false and does not change `hidden`. Linear in the size of the text.
bool hide_costly_marks(std::string_view markdown, std::string& hidden);

/// Restores the hidden marks in the resulting HTML.
void restore_hidden_marks(std::string& html);

}  // namespace sheaf::markdown
