#include "sheaf/publish/sources/sql_rows.h"

#include "sheaf/base/component.h"

extern "C" [[gnu::weak]] const sheaf::publish::SqlDatabases* sheaf_sql_databases();

namespace sheaf::publish {

base::Result<const SqlDatabases*> sql_databases() {
  constexpr base::Component kComponent{"libsheaf_sql_sources.so", "sheaf-sql-sources", "sheaf::sql_sources",
                                       "a database as a source"};
  SHEAF_TRY_ASSIGN(auto* const get,
                   base::find_component(sheaf_sql_databases, kComponent, "sheaf_sql_databases"));
  return get();
}

}  // namespace sheaf::publish
