#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"

#include <memory>
#include <string>

namespace sheaf::store {

/// Opens the store at `location`, which is what --store was given: the path of a folder. For writing the
/// folder is created if it does not exist. Errors: not_found for reading where there is no store, in_use
/// while another process writes, invalid_data where it is damaged or of a newer version.
base::Result<std::unique_ptr<PageStore>> open_store(const std::string& location, Access access);

}  // namespace sheaf::store
