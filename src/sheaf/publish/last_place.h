#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/config/config.h"

#include <string>

// A small file in the state folder records where the collections were last delivered. When the target
// changes, every collection has to be sent there, not only the new ones. The file is written last: if it is
// missing or out of date, everything is sent again, which does no harm.
namespace sheaf::publish {

/// The identity of the last complete delivery: Target::identity(), and after a line feed that of the signing
/// key if there is one. Empty before the first delivery.
base::Result<std::string> read_last_delivery(const PublishConfig& config);
base::Result<void> write_last_delivery(const PublishConfig& config, const std::string& place);

}  // namespace sheaf::publish
