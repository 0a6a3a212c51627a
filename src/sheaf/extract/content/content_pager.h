#pragma once

#include "sheaf/extract/outline/text_run.h"
#include "sheaf/html/dom.h"

namespace sheaf::extract {

/// Whether a run of text only links to the previous or next page: its link has `rel=next` or `rel=prev`, or
/// it says "Next: ..." in one of the web's most common languages.
bool is_pager_link(const html::Document& document, const TextRun& run);

}  // namespace sheaf::extract
