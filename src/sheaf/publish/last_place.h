#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/config/config.h"

#include <string>

// A small file in the state folder records where the collections were delivered last. When the target
// changes, every collection has to be sent there, not only the new ones. The file is written last: if it is
// missing or old, everything is sent again, which does no harm.
namespace sheaf::publish {

/// Target::identity() of the last complete delivery; empty before the first.
base::Result<std::string> read_last_place(const PublishConfig& config);
base::Result<void> write_last_place(const PublishConfig& config, const std::string& place);

}  // namespace sheaf::publish
