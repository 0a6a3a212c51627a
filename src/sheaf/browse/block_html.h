#pragma once

#include "sheaf/markup/html_writer.h"
#include <sheaf/page.h>

#include <cstddef>
#include <string_view>

namespace sheaf::browse {

/// Writes a text with its links, code and emphasis. Ranges that do not fit the text are ignored. Text beyond
/// kMaxShownText is cut.
void write_inline(markup::HtmlWriter& out, std::string_view text, const List<Inline>& inlines);

/// Writes code with comments, strings, numbers and keywords marked. One set of rules serves all languages;
/// the name of the language only decides where they conflict (how comments begin). Code in an unknown
/// language gets fewer colours, but is never cut wrongly. Takes linear time.
void write_code(markup::HtmlWriter& out, std::string_view code, std::string_view language);

// A page may be arbitrarily large, but what a browser gets is bounded. The number of items that are left out
// is shown.
inline constexpr std::size_t kMaxShownBlocks = 5'000;
inline constexpr std::size_t kMaxShownCells = 5'000;       ///< cells of one table
inline constexpr std::size_t kMaxShownHtml = 8U << 20U;    ///< bytes; no block begins after this
inline constexpr std::size_t kMaxShownText = 512U << 10U;  ///< bytes of one text, code or list
inline constexpr std::size_t kMaxContents = 200;           ///< headings in the table of contents

/// Writes the table of contents, unless the page has fewer than two headings.
void write_contents(markup::HtmlWriter& out, const Page& page);

/// Writes the blocks as HTML. Headings get the ids to which the table of contents links. Images are links:
/// nothing is loaded from elsewhere.
void write_blocks(markup::HtmlWriter& out, const Page& page);

}  // namespace sheaf::browse
