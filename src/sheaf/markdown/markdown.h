#pragma once

#include <string>
#include <string_view>

namespace sheaf::markdown {

/// Turns Markdown into HTML: CommonMark with GitHub's tables, strikethrough, bare URLs, task lists and
/// footnotes. Raw HTML is kept as it is. `markdown` is UTF-8 without front matter; `html` is replaced and its
/// memory reused. Thread-safe.
///
/// GitHub's rules pad short rows of a table to the width of its head, so a small text could produce any
/// number of cells. If a text would produce far more cells than it has bytes, or over a thousand columns, its
/// tables stay plain text.
///
/// False if a paragraph had so many marks of emphasis before links, or so many mail addresses, that some were
/// left as text (costly_marks.h).
bool render_markdown(std::string_view markdown, std::string& html);

}  // namespace sheaf::markdown
