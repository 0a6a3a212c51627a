#pragma once

#include "sheaf/store/shared/shared_core.h"
#include "sheaf/store/work_share.h"

#include <memory>

namespace sheaf::store::shared {

/// Joins the fleet of workers and returns this process's share of the list of sites. A part is a bucket.
std::unique_ptr<WorkShare> make_bucket_share(SharedCore& core);

}  // namespace sheaf::store::shared
