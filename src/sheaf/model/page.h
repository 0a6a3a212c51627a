#pragma once

#include "sheaf/base/arena.h"
#include "sheaf/base/time.h"
#include "sheaf/model/block.h"
#include <sheaf/page.h>

namespace sheaf::model {

using sheaf::copy;
using sheaf::Page;

}  // namespace sheaf::model
