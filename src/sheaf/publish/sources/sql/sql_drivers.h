#pragma once

#include "sheaf/publish/sources/sql_rows.h"

// One function for each database: see SqlDatabases.
namespace sheaf::publish {

base::Result<std::unique_ptr<SqlRows>> sqlite_rows(const std::string& file, const std::string& query);
base::Result<std::unique_ptr<SqlRows>> postgres_rows(const std::string& url, const std::string& query);
base::Result<std::unique_ptr<SqlRows>> mariadb_rows(const MariadbAddress& address,
                                                    const std::optional<std::string>& password,
                                                    const std::string& query);

}  // namespace sheaf::publish
