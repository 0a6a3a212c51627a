#pragma once

#include "sheaf/extract/outline/text_run.h"

namespace sheaf::extract {

/// Whether a line among the paragraphs of an article is not part of the article, judged by its first words:
/// it links to another article ("Read also: ..."), asks readers to subscribe or to follow, or credits a
/// photographer ("Photo: ...").
bool is_aside(const TextRun& run);

}  // namespace sheaf::extract
