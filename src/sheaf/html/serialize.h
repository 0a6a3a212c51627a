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

/// Prints the tree in the format of the html5lib test suite: one line per node, with `| ` and two spaces per
/// level, and attributes on separate lines, sorted by name. The root of a fragment is not printed.
std::string dump_tree(const Document& document);

}  // namespace sheaf::html
