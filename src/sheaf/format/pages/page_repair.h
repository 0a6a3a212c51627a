#pragma once

#include "sheaf/format/finding.h"
#include "sheaf/model/collection.h"
#include <sheaf/arena.h>
#include <sheaf/page.h>

#include <cstdint>
#include <string>
#include <vector>

// Readers accept pages with flaws that `validate --strict` rejects. Everything that writes collections
// repairs them if the meaning is clear, and drops them otherwise. Every change is reported.
namespace sheaf::format {

/// What becomes of `structured` blocks, which only draft 1 has.
enum class StructuredBlocks : std::uint8_t { drop, keep };

/// Whether the decoder has already dropped or corrected the cause of this finding.
bool is_repaired_by_reading(Code code);

/// Repairs what the decoder keeps but `validate --strict` rejects: non-standard language tags, times without
/// an offset, blocks of unknown type, unsafe URLs (format/json/unsafe_url.h). Does not add content: a page
/// without content stays invalid. New strings are stored in `memory`; `repairs` gets a sentence for each
/// change that the decoder has not reported.
void repair_page(Page& page, StructuredBlocks structured, Arena& memory, std::vector<std::string>& repairs);

/// The same for the times and the unknown members of a metadata line.
void repair_head(model::CollectionHead& head);

}  // namespace sheaf::format
