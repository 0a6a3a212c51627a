#pragma once

#include "sheaf/format/finding.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <string>
#include <vector>

// Pages of a source may have what a strict reader rejects. It is repaired where the meaning is clear and left
// out where it is not, and every change is reported.
namespace sheaf::publish {

/// Whether the decoder has repaired this already: what it dropped or read otherwise is not in the page.
bool is_repaired_by_reading(format::Code code);

/// Repairs what is kept by the decoder but rejected by `validate --strict`: the spelling of the language,
/// times without an offset, blocks of unknown type. New strings live in `memory`; `repairs` gets a sentence
/// for each change.
void repair_page(Page& page, Arena& memory, std::vector<std::string>& repairs);

}  // namespace sheaf::publish
