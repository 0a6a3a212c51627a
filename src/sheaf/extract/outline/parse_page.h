#pragma once

#include "sheaf/html/dom.h"
#include "sheaf/html/parser.h"

#include <string>
#include <string_view>

namespace sheaf::extract {

/// Parses a page as browsers do, but for one fault: a program that writes HTML as XML writes `<iframe/>`,
/// which to browsers is open and swallows the rest of the page. There the tag that was meant is added.
/// `closed` then has the text that the document's views are of, and must stay as long as the text itself.
html::ParseResult parse_page(std::string_view text, const html::ParseOptions& options, std::string& closed,
                             html::Document& document);

}  // namespace sheaf::extract
