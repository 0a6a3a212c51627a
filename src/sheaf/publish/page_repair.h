#pragma once

#include "sheaf/format/finding.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <string>
#include <vector>

// Pages of a source may contain things that a strict reader rejects. These are repaired if the meaning is
// clear, and dropped otherwise. Every change is reported.
namespace sheaf::publish {

/// Whether the decoder has already dropped or corrected the cause of this finding.
bool is_repaired_by_reading(format::Code code);

/// Repairs what the decoder keeps but `validate --strict` rejects: non-standard language tags, times without
/// an offset, blocks of unknown type. New strings are stored in `memory`; `repairs` gets a sentence for each
/// change that the decoder has not reported.
void repair_page(Page& page, Arena& memory, std::vector<std::string>& repairs);

}  // namespace sheaf::publish
