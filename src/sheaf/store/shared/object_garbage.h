#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/shared/pack_objects.h"
#include "sheaf/store/shared/shared_core.h"

#include <cstdint>
#include <functional>
#include <string>

namespace sheaf::store::shared {

/// Calls `use` with each object that no pack of the view refers to. They may belong to a change in progress,
/// so they are not garbage yet.
base::Result<void> each_unreferenced(SharedView& view, PackObjects& objects,
                                     const std::function<base::Result<void>(const std::string& name)>& use);

/// Records objects that nothing refers to, and deletes those that were recorded at least a day ago and are
/// still unreferenced. Returns the number of deleted objects.
base::Result<std::uint64_t> collect_objects(SharedCore& core);

}  // namespace sheaf::store::shared
