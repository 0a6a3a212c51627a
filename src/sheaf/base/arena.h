#pragma once

#include <sheaf/arena.h>

// The public Arena; the modules know it as base::Arena.
namespace sheaf::base {

using sheaf::Arena;

}  // namespace sheaf::base
