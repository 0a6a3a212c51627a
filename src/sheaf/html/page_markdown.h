#pragma once

#include "sheaf/model/page.h"

#include <string>

namespace sheaf::html {

/// A page as Markdown (CommonMark with GitHub's tables), its title as the first heading if the content does
/// not begin with it. What Markdown would misread is escaped: extract_markdown gives the texts, headings,
/// lists, code, tables and quotes back as they were. Videos and recordings become links.
std::string page_markdown(const model::Page& page);

}  // namespace sheaf::html
