#include "sheaf/publish/sources/sql/sql_drivers.h"

#include <fmt/format.h>
#include <sqlite3.h>

namespace sheaf::publish {
namespace {

constexpr int kPatienceMilliseconds = 30'000;  // how long to wait while another program writes

class SqliteRows final : public SqlRows {
 public:
  SqliteRows() = default;
  ~SqliteRows() override {
    sqlite3_finalize(statement_);
    sqlite3_close(database_);
  }
  SqliteRows(const SqliteRows&) = delete;
  SqliteRows& operator=(const SqliteRows&) = delete;

  base::Result<void> open(const std::string& file, const std::string& query) {
    file_ = file;
    if (sqlite3_open_v2(file.c_str(), &database_, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK)
      return base::fail(base::Errc::not_found,
                        fmt::format("cannot open the database {}: {}", file, message()));
    sqlite3_busy_timeout(database_, kPatienceMilliseconds);
    const char* rest = nullptr;
    const int code =
        sqlite3_prepare_v2(database_, query.data(), static_cast<int>(query.size()), &statement_, &rest);
    if (code != SQLITE_OK) return failure();
    const std::string_view left(rest, static_cast<std::size_t>(query.data() + query.size() - rest));
    if (statement_ == nullptr || left.find_first_not_of(" \t\r\n;") != std::string_view::npos)
      return base::fail(base::Errc::invalid_argument,
                        fmt::format("the query for {} must be exactly one SELECT", file));
    if (sqlite3_stmt_readonly(statement_) == 0 || sqlite3_column_count(statement_) == 0)
      return base::fail(base::Errc::invalid_argument,
                        fmt::format("the query for {} must be a SELECT; it would change the database", file));
    for (int i = 0; i < sqlite3_column_count(statement_); ++i) {
      const char* name = sqlite3_column_name(statement_, i);
      columns_.emplace_back(name == nullptr ? "" : name);
    }
    return {};
  }

  [[nodiscard]] const std::vector<std::string>& columns() const override { return columns_; }

  base::Result<bool> next() override {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    return failure();
  }

  [[nodiscard]] std::optional<std::string_view> value(std::size_t column) const override {
    const int index = static_cast<int>(column);
    if (sqlite3_column_type(statement_, index) == SQLITE_NULL) return std::nullopt;
    const void* bytes = sqlite3_column_blob(statement_, index);  // for text, its UTF-8
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, index));
    return bytes == nullptr ? std::string_view() : std::string_view(static_cast<const char*>(bytes), size);
  }

 private:
  [[nodiscard]] std::string message() const {
    return database_ == nullptr ? "out of memory" : sqlite3_errmsg(database_);
  }
  [[nodiscard]] std::unexpected<base::Error> failure() const {
    return base::fail(base::Errc::invalid_data, fmt::format("the query failed in {}: {}", file_, message()));
  }

  std::string file_;
  sqlite3* database_ = nullptr;
  sqlite3_stmt* statement_ = nullptr;
  std::vector<std::string> columns_;
};

}  // namespace

base::Result<std::unique_ptr<SqlRows>> sqlite_rows(const std::string& file, const std::string& query) {
  auto rows = std::make_unique<SqliteRows>();
  SHEAF_TRY(rows->open(file, query));
  return rows;
}

}  // namespace sheaf::publish

extern "C" const sheaf::publish::SqlDatabases* sheaf_sql_databases() {
  using namespace sheaf::publish;
  static constexpr SqlDatabases kDatabases{sqlite_rows, postgres_rows, mariadb_rows};
  return &kDatabases;
}
