#pragma once

#include "sheaf/extract/content/content_select.h"
#include "sheaf/html/dom.h"

#include <string>

namespace sheaf::extract {

/// Tells what the selector took for content on its last page, and what speaks for it: a line for each region
/// whose answer differs from that of the region around it, in document order.
std::string explain_content(const html::Document& document, const ContentSelector& selector);

}  // namespace sheaf::extract
