#pragma once

#include "sheaf/html/dom.h"
#include "sheaf/html/parser.h"

#include <string>
#include <string_view>

namespace sheaf::extract {

/// Parses a page as browsers do, but repairs one fault: programs that write HTML as XML write `<iframe/>`,
/// which is a start tag in HTML, so the element swallows the rest of the page. Then the page is parsed again
/// with the missing end tags added: `closed` has that text, the document's views refer to it, and it must
/// live as long as `text`.
html::ParseResult parse_page(std::string_view text, const html::ParseOptions& options, std::string& closed,
                             html::Document& document);

}  // namespace sheaf::extract
