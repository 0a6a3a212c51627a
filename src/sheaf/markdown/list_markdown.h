#pragma once

#include <sheaf/page.h>

#include <cstddef>
#include <string>

namespace sheaf::markdown {

/// Appends a list block as nested lists. `other_marks`: for a list right after another one, which it would
/// continue if it had the same markers. `notes`: the number of footnotes of the page.
void append_list(std::string& out, const Block& block, bool other_marks, std::size_t notes);

}  // namespace sheaf::markdown
