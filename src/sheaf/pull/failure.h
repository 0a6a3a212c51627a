#pragma once

#include "sheaf/base/error.h"
#include <sheaf/pull.h>

namespace sheaf::pull {

using sheaf::Failure;
using sheaf::FailureCode;
using sheaf::kFailureCodes;
using sheaf::to_string;

/// The failure to report for a site whose pull ended with an error of the store or the disk.
Failure failure_of(const base::Error& error);

}  // namespace sheaf::pull
