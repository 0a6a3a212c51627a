#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"
#include "sheaf/store/shared/shared_core.h"

#include <memory>
#include <string>

// A store that several machines share. PostgreSQL has everything that must be consistent (shared_database.h).
// If object storage is configured, it has the larger packs of pages.
namespace sheaf::store::shared {

/// See store::open_store.
base::Result<std::unique_ptr<PageStore>> open_shared_store(const std::string& url, StoreAccess access,
                                                           const SharedOptions& options);

/// See store::store_identity.
base::Result<std::string> shared_store_identity(const std::string& url);

}  // namespace sheaf::store::shared
