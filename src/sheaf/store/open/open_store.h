#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::store {

/// Whether the value of --store is the URL of a shared store, and not the path of a folder.
bool is_shared_location(std::string_view location);

/// A variable of the environment, for credentials of object storage.
std::optional<std::string> environment_variable(const std::string& name);

/// Opens the store at `location`, the value of --store: the path of a folder, or a URL postgresql://... of a
/// shared store. For writing, a folder is created if it does not exist; a shared store is created by
/// create_shared_store(). Errors: not_found if there is no store, in_use while another process writes to a
/// folder, invalid_data if it is damaged or of a newer version, invalid_argument for a URL with a password.
base::Result<std::unique_ptr<PageStore>> open_store(const std::string& location, Access access);

}  // namespace sheaf::store
