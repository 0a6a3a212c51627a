#pragma once

#include "sheaf/html/dom.h"
#include "sheaf/html/parser.h"

#include <string>

namespace sheaf::html {

/// Serializes the tree as HTML by the standard's "HTML fragment serialization algorithm": the whole document,
/// or the content of a fragment's root. For conforming pages, parsing the result gives the same tree. For
/// other pages, the standard lists exceptions (a `pre` that begins with a line feed, `plaintext`, nested
/// forms, nodes moved out of a table...).
std::string serialize(const Document& document, Scripting scripting = Scripting::off);

}  // namespace sheaf::html
