#pragma once

#include <string>
#include <string_view>

namespace sheaf::markdown {

/// Turns Markdown into HTML: CommonMark with GitHub's tables, strikethrough, bare addresses, task lists and
/// footnotes. Raw HTML in it passes as it is. `markdown` is UTF-8 without front matter; `html` is replaced,
/// its memory used again. Any number of threads at a time.
///
/// GitHub's rules fill the short rows of a table up to the width of its head, so a small text could ask for
/// any number of cells. A text that asks for far more than it writes, or for over a thousand columns, gets
/// its tables as the text they are.
///
/// False if a paragraph had so many marks of emphasis before links, or so many mail addresses, that some were
/// left as text (costly_marks.h).
bool render_markdown(std::string_view markdown, std::string& html);

}  // namespace sheaf::markdown
