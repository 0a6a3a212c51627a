#pragma once

#include <sheaf/page.h>

#include <string>

namespace sheaf::markdown {

/// Appends a list block as nested lists. `other_marks`: for a list right after another one, which it would
/// continue if it had the same markers.
void append_list(std::string& out, const Block& block, bool other_marks);

}  // namespace sheaf::markdown
