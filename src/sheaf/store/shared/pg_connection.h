#pragma once

#include "sheaf/base/error.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct pg_conn;  // libpq's types, which stay in the source file
struct pg_result;

namespace sheaf::store::shared {

/// A parameter of a statement: text, bytes or NULL.
class SqlParam {
 public:
  SqlParam(std::string_view text) : value_(text) {}                  // NOLINT(google-explicit-constructor)
  SqlParam(const std::string& text) : value_(text) {}                // NOLINT(google-explicit-constructor)
  SqlParam(const char* text) : value_(text) {}                       // NOLINT(google-explicit-constructor)
  SqlParam(std::int64_t number) : value_(std::to_string(number)) {}  // NOLINT(google-explicit-constructor)
  static SqlParam bytes(std::string_view bytes) {
    SqlParam param(bytes);
    param.is_binary_ = true;
    return param;
  }
  static SqlParam null() {
    SqlParam param("");
    param.is_null_ = true;
    return param;
  }

  [[nodiscard]] const std::string& value() const { return value_; }
  [[nodiscard]] bool is_binary() const { return is_binary_; }
  [[nodiscard]] bool is_null() const { return is_null_; }

 private:
  std::string value_;
  bool is_binary_ = false;
  bool is_null_ = false;
};
using SqlParams = std::vector<SqlParam>;

/// Builds an array literal as a parameter. The statement has to cast it: `$1::bigint[]`.
class SqlArray {
 public:
  void add(std::int64_t number);
  void add_text(std::string_view text);
  void add_bytes(std::string_view bytes);
  [[nodiscard]] SqlParam param() const { return SqlParam(text_.empty() ? std::string("{}") : text_ + "}"); }

 private:
  void separate() { text_ += text_.empty() ? '{' : ','; }
  std::string text_;
};

/// The rows of a result. Views are valid during the lifetime of this object.
class PgRows {
 public:
  explicit PgRows(pg_result* result) : result_(result) {}

  [[nodiscard]] int size() const;
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] bool is_null(int row, int column) const;
  [[nodiscard]] std::string_view text(int row, int column) const;  ///< text or bytes
  [[nodiscard]] std::int64_t number(int row, int column) const;    ///< smallint, int, bigint, boolean
  [[nodiscard]] double real(int row, int column) const;            ///< real
  /// Number of rows that the statement changed.
  [[nodiscard]] std::int64_t changed() const;

 private:
  struct Clear {
    void operator()(pg_result* result) const;
  };
  std::unique_ptr<pg_result, Clear> result_;
};

/// What the caller has to know about a failed statement.
enum class SqlFailure : std::uint8_t {
  none,
  lost,      ///< the connection or the server is gone: whether a COMMIT took effect is unknown
  conflict,  ///< conflict with another transaction: a retry may succeed
  missing,   ///< the table or the schema does not exist
  other,
};

/// A connection to PostgreSQL. Not thread-safe. It keeps no state in the session, so it works with a
/// connection pool that uses a different server connection for each transaction: nothing is set or prepared,
/// and all statements of a transaction are between begin() and commit().
class PgConnection {
 public:
  /// `url` is a connection URI of libpq. Fails with Errc::not_found if there is no such database,
  /// Errc::permission_denied or Errc::io.
  static base::Result<std::unique_ptr<PgConnection>> open(const std::string& url);
  ~PgConnection();
  PgConnection(const PgConnection&) = delete;
  PgConnection& operator=(const PgConnection&) = delete;

  base::Result<PgRows> query(const std::string& sql, const SqlParams& params = {});

  enum class Isolation : std::uint8_t { read_committed, snapshot };
  base::Result<void> begin(Isolation isolation);
  base::Result<void> commit();
  /// Rolls back the transaction, if there is one.
  void rollback();

  /// Returns an error as if another transaction had interfered, so that the whole transaction is retried.
  std::unexpected<base::Error> fail_as_conflict();

  /// How the last statement failed.
  [[nodiscard]] SqlFailure failure() const { return failure_; }
  [[nodiscard]] bool is_usable() const;

 private:
  explicit PgConnection(pg_conn* connection) : connection_(connection) {}
  std::unexpected<base::Error> fail_with(const pg_result* result);
  base::Result<void> run(const char* command);

  pg_conn* connection_;
  SqlFailure failure_ = SqlFailure::none;
};

/// Fails with Errc::invalid_argument if libpq cannot parse the URL, or if it contains a password.
base::Result<void> check_postgres_url(const std::string& url);

}  // namespace sheaf::store::shared
