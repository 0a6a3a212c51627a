#pragma once

#include "sheaf/html/dom.h"
#include "sheaf/html/text_run.h"

namespace sheaf::html {

/// Whether a run of text does nothing but lead to the page before or after this one: its link has `rel=next`
/// or `rel=prev`, or it says "Next: ..." in one of the web's larger languages.
bool leads_to_neighbour(const Document& document, const TextRun& run);

}  // namespace sheaf::html
