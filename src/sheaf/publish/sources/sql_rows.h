#pragma once

#include "sheaf/base/error.h"
#include "sheaf/publish/config/mariadb_address.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::publish {

/// The rows of a query, one after the other. Memory use does not depend on their number.
class SqlRows {
 public:
  virtual ~SqlRows() = default;

  [[nodiscard]] virtual const std::vector<std::string>& columns() const = 0;
  /// Moves to the next row; returns false after the last.
  virtual base::Result<bool> next() = 0;
  /// A value of the current row as text, valid until the next row; nullopt for NULL.
  [[nodiscard]] virtual std::optional<std::string_view> value(std::size_t column) const = 0;
};

/// Opens databases. The code is in publish/sources/sql/, a component that is loaded when it is first used,
/// because it needs the libraries of three databases.
struct SqlDatabases {
  /// Opens a database file for reading and runs a query that must not change anything.
  base::Result<std::unique_ptr<SqlRows>> (*sqlite)(const std::string& file, const std::string& query);

  /// Runs a query over a libpq connection, in a read-only transaction. libpq takes missing settings from
  /// PGPASSWORD, ~/.pgpass, PGHOST, ... Messages never contain a password.
  base::Result<std::unique_ptr<SqlRows>> (*postgres)(const std::string& url, const std::string& query);

  /// Runs a query over a connection to MariaDB or MySQL, in a read-only transaction. Without a password,
  /// MYSQL_PWD and the option files (~/.my.cnf) are used. There are time limits for connecting, for silence
  /// of the server and for the query, and a size limit for rows. The server gets no file of this machine.
  base::Result<std::unique_ptr<SqlRows>> (*mariadb)(const MariadbAddress& address,
                                                    const std::optional<std::string>& password,
                                                    const std::string& query);
};

/// The component. Fails if it is not installed.
base::Result<const SqlDatabases*> sql_databases();

}  // namespace sheaf::publish
