#pragma once

#include "sheaf/base/error.h"
#include "sheaf/objects/s3_credentials.h"
#include "sheaf/store/page_store.h"

#include <memory>
#include <string>
#include <string_view>

namespace sheaf::store {

/// Whether the value of --store is the URL of a shared store, and not the path of a folder.
bool is_shared_location(std::string_view location);

/// Opens the store at `location`, the value of --store: the path of a folder, or a URL postgresql://... of a
/// shared store. For writing, a folder is created if it does not exist; a shared store is created by
/// create_shared_store(). `environment` has the keys of object storage, which only a shared store uses.
/// Errors: not_found if there is no store, in_use while another process writes to a folder, invalid_data if
/// it is damaged or of a newer version, invalid_argument for a URL with a password.
base::Result<std::unique_ptr<PageStore>> open_store(const std::string& location, Access access,
                                                    const objects::Environment& environment = {});

}  // namespace sheaf::store
