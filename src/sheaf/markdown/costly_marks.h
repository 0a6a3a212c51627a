#pragma once

#include <string>
#include <string_view>

// At the end of a link, cmark-gfm 0.29 visits every emphasis delimiter before it again, and for each bare
// mail address the whole text. So its time could grow with the square of a paragraph's size: 300 KB took 14
// s. Marks beyond a limit are replaced by characters without a meaning and restored in the resulting HTML.
// They then appear as text; code and URLs are not changed.
namespace sheaf::markdown {

/// Hides marks beyond the limit. False, with `hidden` unchanged, if no block of the text has too many. Linear
/// in the text.
bool hide_costly_marks(std::string_view markdown, std::string& hidden);

/// Restores them.
void show_hidden_marks(std::string& html);

}  // namespace sheaf::markdown
