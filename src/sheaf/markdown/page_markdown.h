#pragma once

#include <sheaf/markdown.h>
#include <sheaf/page.h>

namespace sheaf::markdown {

using sheaf::page_markdown;

}  // namespace sheaf::markdown
