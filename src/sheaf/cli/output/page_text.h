#pragma once

#include <sheaf/page.h>

#include <string>

namespace sheaf::cli {

/// The page's content for people: headings marked with #, lists with - or numbers, code indented, cells
/// joined by |. Control characters are removed.
std::string page_text(const Page& page);

}  // namespace sheaf::cli
