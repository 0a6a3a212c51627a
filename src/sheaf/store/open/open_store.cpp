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

base::Result<std::string> store_identity(const std::string& location) {
  if (!is_shared_location(location)) return local::local_store_identity(location);
  SHEAF_TRY_ASSIGN(const auto connection, shared::PgConnection::open(location));
  // The schema gets another number when it is created again.
  SHEAF_TRY_ASSIGN(const auto rows, connection->query("SELECT current_database() || ' ' || oid::text FROM "
                                                      "pg_namespace WHERE nspname = 'sheaf'"));
  if (rows.empty()) return base::fail(base::Errc::not_found, "the database has no store");
  return std::string(rows.text(0, 0));
}

}  // namespace sheaf::store
