#pragma once

#include "sheaf/html/dom.h"
#include "sheaf/html/parser.h"

#include <string>
#include <string_view>

namespace sheaf::extract {

/// Parses a page as browsers do, with two differences. Programs that write HTML as XML write `<iframe/>`,
/// which is a start tag in HTML, so the element swallows the rest of the page: the missing end tags are
/// added. And templates that are shadow trees (`shadowrootmode`) become elements, because browsers show them.
/// Such a page is parsed again: `closed` has its changed text, the document's views refer to it, and it must
/// live as long as `text`.
html::ParseResult parse_page(std::string_view text, const html::ParseOptions& options, std::string& closed,
                             html::Document& document);

}  // namespace sheaf::extract
