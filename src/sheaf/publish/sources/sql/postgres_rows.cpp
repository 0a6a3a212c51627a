#include "sheaf/publish/sources/sql/sql_drivers.h"

#include <fmt/format.h>
#include <libpq-fe.h>

namespace sheaf::publish {
namespace {

struct ResultDeleter {
  void operator()(PGresult* result) const { PQclear(result); }
};
using ResultPtr = std::unique_ptr<PGresult, ResultDeleter>;

std::string one_line(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

class PostgresRows final : public SqlRows {
 public:
  PostgresRows() = default;
  ~PostgresRows() override {
    row_.reset();
    PQfinish(connection_);
  }
  PostgresRows(const PostgresRows&) = delete;
  PostgresRows& operator=(const PostgresRows&) = delete;

  base::Result<void> open(const std::string& url, const std::string& query) {
    connection_ = PQconnectdb(url.c_str());
    if (connection_ == nullptr || PQstatus(connection_) != CONNECTION_OK)
      return base::fail(base::Errc::io, "cannot connect to PostgreSQL: " + message());
    PQsetClientEncoding(connection_, "UTF8");
    // A read-only transaction with one snapshot for all rows.
    SHEAF_TRY(run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"));
    SHEAF_TRY(run("SET LOCAL datestyle = 'ISO'; SET LOCAL timezone = 'UTC'"));
    // The extended protocol (here without parameters) allows only one statement. In this mode rows arrive one
    // at a time.
    if (PQsendQueryParams(connection_, query.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 0) != 1 ||
        PQsetSingleRowMode(connection_) != 1)
      return failure(message());
    SHEAF_TRY(fetch());
    if (row_ == nullptr || PQnfields(row_.get()) == 0)
      return base::fail(base::Errc::invalid_argument, "the query for PostgreSQL must be a SELECT");
    for (int i = 0; i < PQnfields(row_.get()); ++i) columns_.emplace_back(PQfname(row_.get(), i));
    return {};
  }

  [[nodiscard]] const std::vector<std::string>& columns() const override { return columns_; }

  base::Result<bool> next() override {
    if (!fresh_) SHEAF_TRY(fetch());
    fresh_ = false;
    return row_ != nullptr && PQntuples(row_.get()) > 0;
  }

  [[nodiscard]] std::optional<std::string_view> value(std::size_t column) const override {
    const int index = static_cast<int>(column);
    if (PQgetisnull(row_.get(), 0, index) != 0) return std::nullopt;
    return std::string_view(PQgetvalue(row_.get(), 0, index),
                            static_cast<std::size_t>(PQgetlength(row_.get(), 0, index)));
  }

 private:
  base::Result<void> run(const char* command) {
    const ResultPtr result(PQexec(connection_, command));
    return PQresultStatus(result.get()) == PGRES_COMMAND_OK ? base::Result<void>() : failure(message());
  }

  /// Fetches the next row, or the empty result after the last row.
  base::Result<void> fetch() {
    row_.reset(PQgetResult(connection_));
    fresh_ = true;
    if (row_ == nullptr) return {};
    const ExecStatusType status = PQresultStatus(row_.get());
    if (status == PGRES_SINGLE_TUPLE || status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) return {};
    return failure(one_line(PQresultErrorMessage(row_.get())));
  }

  [[nodiscard]] std::string message() const {
    return connection_ == nullptr ? "out of memory" : one_line(PQerrorMessage(connection_));
  }
  static std::unexpected<base::Error> failure(const std::string& what) {
    return base::fail(base::Errc::invalid_data, "the query failed in PostgreSQL: " + what);
  }

  PGconn* connection_ = nullptr;
  ResultPtr row_;
  bool fresh_ = false;  ///< row_ has been fetched but not returned by next()
  std::vector<std::string> columns_;
};

}  // namespace

base::Result<std::unique_ptr<SqlRows>> postgres_rows(const std::string& url, const std::string& query) {
  auto rows = std::make_unique<PostgresRows>();
  SHEAF_TRY(rows->open(url, query));
  return rows;
}

}  // namespace sheaf::publish
