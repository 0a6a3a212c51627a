#pragma once

#include <sheaf/page.h>

#include <cstddef>
#include <string>

namespace sheaf::markdown {

/// Appends a list block as nested lists. `other_marks` selects different markers, for a list that directly
/// follows another one; with the same markers it would continue that list. `notes` is the number of footnotes
/// of the page.
void append_list(std::string& out, const Block& block, bool other_marks, std::size_t notes);

}  // namespace sheaf::markdown
