#pragma once

#include "sheaf/extract/outline/text_run.h"
#include "sheaf/html/dom.h"

namespace sheaf::extract {

/// Whether a run of text does nothing but lead to the page before or after this one: its link has `rel=next`
/// or `rel=prev`, or it says "Next: ..." in one of the web's larger languages.
bool leads_to_neighbour(const html::Document& document, const TextRun& run);

}  // namespace sheaf::extract
