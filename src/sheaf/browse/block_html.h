#pragma once

#include "sheaf/browse/html_writer.h"
#include <sheaf/page.h>

#include <cstddef>

namespace sheaf::browse {

// A page may be as large as a site likes; what a browser is given is bounded. The rest is counted and named.
inline constexpr std::size_t kMostShownBlocks = 5'000;
inline constexpr std::size_t kMostShownCells = 5'000;       ///< of one table
inline constexpr std::size_t kMostShownHtml = 8U << 20U;    ///< bytes; no block begins after that
inline constexpr std::size_t kMostShownText = 512U << 10U;  ///< bytes of one text, code or list
inline constexpr std::size_t kMostContents = 200;           ///< headings in the table of contents

/// The table of contents; nothing for fewer than two headings.
void write_contents(HtmlWriter& out, const Page& page);

/// The blocks as HTML. Headings get the ids that the contents lead to. Images are links: nothing is loaded
/// from elsewhere.
void write_blocks(HtmlWriter& out, const Page& page);

}  // namespace sheaf::browse
