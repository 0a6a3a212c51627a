#pragma once

#include "sheaf/html/dom.h"

#include <string>

namespace sheaf::html {

/// Prints the tree in the format of the html5lib test suite: one line per node, with `| ` and two spaces per
/// level, and attributes on separate lines, sorted by name. The root of a fragment is not printed.
std::string dump_tree(const Document& document);

}  // namespace sheaf::html
