#include "sheaf/store/open/open_store.h"

#include "sheaf/store/local/local_store.h"
#include "sheaf/store/shared/pg_connection.h"
#include "sheaf/store/shared/shared_store.h"

namespace sheaf::store {

bool is_shared_location(std::string_view location) { return shared::is_postgres_url(location); }

base::Result<std::unique_ptr<PageStore>> open_store(const std::string& location, Access access,
                                                    const objects::Environment& environment) {
  if (is_shared_location(location))
    return shared::open_shared_store(location, access, {SHEAF_VERSION, environment});
  return local::open_local_store(location, access);
}

}  // namespace sheaf::store
