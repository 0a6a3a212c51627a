#pragma once

#include "sheaf/extract/outline/text_run.h"

namespace sheaf::extract {

/// Whether a line between the paragraphs of an article is not part of it, by the words that it begins with:
/// it leads to another article ("Read also: ..."), asks readers to subscribe or to follow, or names a
/// photographer ("Photo: ...").
bool is_aside(const TextRun& run);

}  // namespace sheaf::extract
