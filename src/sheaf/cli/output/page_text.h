#pragma once

#include <sheaf/page.h>

#include <string>

namespace sheaf::cli {

/// Returns the page's content for people: headings marked with #, lists with - or numbers, code indented,
/// cells joined by |. Control characters become '?'.
std::string page_text(const Page& page);

}  // namespace sheaf::cli
