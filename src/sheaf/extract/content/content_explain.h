#pragma once

#include "sheaf/extract/content/content_select.h"
#include "sheaf/html/dom.h"

#include <string>

namespace sheaf::extract {

/// Describes what the selector took for content on its last page, and why: a line for each region whose
/// answer differs from the answer of its parent, in document order.
std::string explain_content(const html::Document& document, const ContentSelector& selector);

}  // namespace sheaf::extract
