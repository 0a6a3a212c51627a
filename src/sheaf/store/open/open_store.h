#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"

#include <memory>
#include <string>

namespace sheaf::store {

/// Opens the store at `location`, the value of --store: the path of a folder. For writing, the folder is
/// created if it does not exist. Errors: not_found if there is no store to read, in_use while another process
/// writes, invalid_data if it is damaged or of a newer version.
base::Result<std::unique_ptr<PageStore>> open_store(const std::string& location, Access access);

}  // namespace sheaf::store
