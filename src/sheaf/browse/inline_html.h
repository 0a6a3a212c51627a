#pragma once

#include "sheaf/markup/html_writer.h"
#include <sheaf/page.h>

#include <string_view>

namespace sheaf::browse {

/// Writes a text with its links, code and emphasis. Ranges that do not fit the text are ignored. Text beyond
/// kMaxShownText is cut.
void write_inline(markup::HtmlWriter& out, std::string_view text, const List<Inline>& inlines);

}  // namespace sheaf::browse
