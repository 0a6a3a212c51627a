#pragma once

#include "sheaf/html/dom.h"

#include <string>

namespace sheaf::html {

/// The tree in the form of the html5lib test suite: a line a node, `| ` and two spaces a level, attributes
/// sorted by name on lines of their own. Of a fragment, the nodes without the root made for it.
std::string dump_tree(const Document& document);

}  // namespace sheaf::html
