#pragma once

#include "sheaf/format/finding.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <string>
#include <vector>

// Pages of a source may contain things that a strict reader rejects. They are repaired if the meaning is
// clear and dropped otherwise, and every change is reported.
namespace sheaf::publish {

/// Whether the decoder has dropped or corrected this already.
bool is_repaired_by_reading(format::Code code);

/// Repairs what the decoder keeps but `validate --strict` rejects: the spelling of the language, times
/// without an offset, blocks of unknown type. New strings live in `memory`; `repairs` gets a sentence for
/// each change.
void repair_page(Page& page, Arena& memory, std::vector<std::string>& repairs);

}  // namespace sheaf::publish
