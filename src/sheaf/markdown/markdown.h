#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Markdown may contain HTML, so it is rendered and then parsed as a page that is all content: one set of
// rules makes blocks of both.

namespace sheaf::markdown {

/// MDX has expressions in braces, which Markdown shows as text.
enum class Flavour : std::uint8_t { markdown, mdx };

/// Converts Markdown to HTML: CommonMark with GitHub's tables, strikethrough, bare URLs, task lists and
/// footnotes. Raw HTML is kept. `markdown` is UTF-8 without front matter; `html` is replaced and its memory
/// reused. Thread-safe.
///
/// By GitHub's rules, short rows of a table are padded to the width of its header, so a small text could
/// produce a huge number of cells. If a text would produce far more cells than it has bytes, or a row has
/// over a thousand columns, its tables are kept as plain text.
///
/// Returns false if a paragraph had so many emphasis marks before links, or so many mail addresses, that some
/// were kept as text (costly_marks.h).
bool render_markdown(std::string_view markdown, std::string& html, Flavour flavour = Flavour::markdown);

}  // namespace sheaf::markdown
