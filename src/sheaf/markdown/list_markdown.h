#pragma once

#include <sheaf/page.h>

#include <cstddef>
#include <string>

namespace sheaf::markdown {

/// Appends a list block, with lists in lists, to Markdown. `other_marks`: for a list right after another,
/// which with the same marks would go on with that one. `notes`: how many footnotes the page has.
void append_list(std::string& out, const Block& block, bool other_marks, std::size_t notes);

}  // namespace sheaf::markdown
