#pragma once

#include "sheaf/store/shared/shared_core.h"
#include "sheaf/store/work_share.h"

#include <memory>

namespace sheaf::store::shared {

/// The list of sites as this process shares it with others; a part is a bucket.
std::unique_ptr<WorkShare> make_bucket_share(SharedCore& core);

}  // namespace sheaf::store::shared
