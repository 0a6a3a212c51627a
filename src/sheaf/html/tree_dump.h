#pragma once

#include "sheaf/html/dom.h"

#include <string>

namespace sheaf::html {

/// The tree in the form of the html5lib test suite: one line per node, `| ` and two spaces per level,
/// attributes sorted by name on separate lines. For a fragment, the nodes without its root.
std::string dump_tree(const Document& document);

}  // namespace sheaf::html
