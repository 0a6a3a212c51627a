#include "sheaf/store/open/open_store.h"

#include "sheaf/store/local/local_store.h"
#include "sheaf/store/shared/pg_connection.h"
#include "sheaf/store/shared/shared_store.h"

#include <cstdlib>

namespace sheaf::store {

std::optional<std::string> environment_variable(const std::string& name) {
  // libpq, which a shared store needs anyway, reads the environment too.
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

bool is_shared_location(std::string_view location) { return shared::is_postgres_url(location); }

base::Result<std::unique_ptr<PageStore>> open_store(const std::string& location, Access access) {
  if (is_shared_location(location))
    return shared::open_shared_store(location, access, {SHEAF_VERSION, environment_variable});
  return local::open_local_store(location, access);
}

}  // namespace sheaf::store
