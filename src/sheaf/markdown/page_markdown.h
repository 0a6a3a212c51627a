#pragma once

#include "sheaf/model/page.h"
#include <sheaf/markdown.h>

namespace sheaf::markdown {

using sheaf::page_markdown;

}  // namespace sheaf::markdown
