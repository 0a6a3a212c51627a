#include "sheaf/publish/sources/sql/sql_drivers.h"

#include <fmt/format.h>
#include <mysql.h>

#include <cstdint>
#include <cstring>
#include <utility>

namespace sheaf::publish {
namespace {

constexpr unsigned kConnectSeconds = 30;
constexpr unsigned kSilenceSeconds = 300;
constexpr std::uint64_t kQuerySeconds = 3600;
constexpr std::uint64_t kMaxRowBytes = std::uint64_t{256} << 20U;

struct StatementDeleter {
  void operator()(MYSQL_STMT* statement) const { mysql_stmt_close(statement); }
};

// A server may request a file of this machine at any time (LOAD DATA LOCAL). It gets none, even if the option
// files allow it.
int refuse_file(void** state, const char* /*name*/, void* /*data*/) {
  *state = nullptr;
  return 1;
}
int read_nothing(void* /*state*/, char* /*buffer*/, unsigned /*size*/) { return -1; }
void end_nothing(void* /*state*/) {}
int explain_refusal(void* /*state*/, char* message, unsigned size) {
  if (size > 0) std::strncpy(message, "files of this machine are not sent", size - 1);
  return 1;
}

class MariadbRows final : public SqlRows {
 public:
  MariadbRows() = default;
  ~MariadbRows() override {
    // Cancel first: the server may still be sending millions of rows.
    if (result_ != nullptr && connection_ != nullptr && !is_done_) mysql_kill_reading();
    mysql_free_result(result_);
    mysql_close(connection_);
  }
  MariadbRows(const MariadbRows&) = delete;
  MariadbRows& operator=(const MariadbRows&) = delete;

  base::Result<void> open(const MariadbAddress& address, const std::optional<std::string>& password,
                          const std::string& query) {
    SHEAF_TRY(connect(address, password));
    SHEAF_TRY(begin());
    SHEAF_TRY(check_query(query));
    if (mysql_real_query(connection_, query.data(), query.size()) != 0) return failure();
    result_ = mysql_use_result(connection_);
    if (result_ == nullptr) return mysql_errno(connection_) != 0 ? failure() : not_a_select();
    const MYSQL_FIELD* fields = mysql_fetch_fields(result_);
    for (unsigned i = 0; i < mysql_num_fields(result_); ++i) columns_.emplace_back(fields[i].name);
    return {};
  }

  [[nodiscard]] const std::vector<std::string>& columns() const override { return columns_; }

  base::Result<bool> next() override {
    row_ = mysql_fetch_row(result_);
    if (row_ == nullptr) {
      is_done_ = true;
      if (mysql_errno(connection_) != 0) return failure();
      return false;
    }
    sizes_ = mysql_fetch_lengths(result_);
    return true;
  }

  [[nodiscard]] std::optional<std::string_view> value(std::size_t column) const override {
    if (row_[column] == nullptr) return std::nullopt;
    return std::string_view(row_[column], sizes_[column]);
  }

 private:
  base::Result<void> connect(const MariadbAddress& address, const std::optional<std::string>& password) {
    connection_ = mysql_init(nullptr);
    if (connection_ == nullptr) return base::fail(base::Errc::io, "cannot connect to MariaDB: out of memory");
    set_limits();
    SHEAF_TRY(set_tls(address));
    mysql_set_local_infile_handler(connection_, refuse_file, read_nothing, end_nothing, explain_refusal,
                                   nullptr);
    // The library connects to localhost by the socket, even if there is a port.
    const unsigned tcp = MYSQL_PROTOCOL_TCP;
    if (address.port != 0 && address.socket.empty()) mysql_options(connection_, MYSQL_OPT_PROTOCOL, &tcp);
    // If there is no password, the library takes it from MYSQL_PWD or from [client] of ~/.my.cnf.
    mysql_options(connection_, MYSQL_READ_DEFAULT_GROUP, "sheaf");
    const auto text = [](const std::string& value) { return value.empty() ? nullptr : value.c_str(); };
    if (mysql_real_connect(connection_, text(address.host), text(address.user),
                           password ? password->c_str() : nullptr, address.database.c_str(), address.port,
                           text(address.socket), 0) == nullptr)
      return base::fail(base::Errc::io, "cannot connect to MariaDB: " + message());
    if (address.tls != MariadbTls::off && mysql_get_ssl_cipher(connection_) == nullptr)
      return base::fail(base::Errc::refused,
                        "the connection to MariaDB is not encrypted although `tls` requires it");
    return {};
  }

  void set_limits() {
    const unsigned connect = kConnectSeconds;
    const unsigned silence = kSilenceSeconds;
    const unsigned none = 0;
    const auto packet = static_cast<unsigned long>(kMaxRowBytes);
    mysql_options(connection_, MYSQL_OPT_CONNECT_TIMEOUT, &connect);
    mysql_options(connection_, MYSQL_OPT_READ_TIMEOUT, &silence);
    mysql_options(connection_, MYSQL_OPT_WRITE_TIMEOUT, &silence);
    mysql_options(connection_, MYSQL_OPT_LOCAL_INFILE, &none);
    mysql_options(connection_, MYSQL_OPT_MAX_ALLOWED_PACKET, &packet);
    mysql_options(connection_, MYSQL_SET_CHARSET_NAME, "utf8mb4");
  }

  base::Result<void> set_tls(const MariadbAddress& address) {
    if (address.tls == MariadbTls::off) return {};
    const my_bool yes = 1;
    mysql_options(connection_, MYSQL_OPT_SSL_ENFORCE, &yes);
    if (address.tls == MariadbTls::verified) {
      const char* authorities =
          address.authorities.empty() ? "/etc/ssl/certs/ca-certificates.crt" : address.authorities.c_str();
      mysql_options(connection_, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &yes);
      mysql_options(connection_, MYSQL_OPT_SSL_CA, authorities);
    }
    return {};
  }

  /// Begins a read-only transaction with one snapshot for all rows, and times in UTC.
  base::Result<void> begin() {
    const bool is_mariadb = mariadb_connection(connection_) != 0;
    SHEAF_TRY(run("SET time_zone = '+00:00'"));
    SHEAF_TRY(run(fmt::format("SET SESSION net_write_timeout = {}", kQuerySeconds)));
    SHEAF_TRY(run(is_mariadb ? fmt::format("SET SESSION max_statement_time = {}", kQuerySeconds)
                             : fmt::format("SET SESSION max_execution_time = {}", kQuerySeconds * 1000)));
    SHEAF_TRY(run("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ"));
    return run("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY");
  }

  /// Fails unless the query is a SELECT. A read-only transaction does not prevent COMMIT, SET or SELECT ...
  /// INTO OUTFILE. These have no result columns, which is known after preparing the query, before anything
  /// runs.
  base::Result<void> check_query(const std::string& query) {
    const std::unique_ptr<MYSQL_STMT, StatementDeleter> statement(mysql_stmt_init(connection_));
    if (statement == nullptr) return failure();
    if (mysql_stmt_prepare(statement.get(), query.data(), query.size()) != 0)
      return failed(mysql_stmt_error(statement.get()));
    return mysql_stmt_field_count(statement.get()) > 0 ? base::Result<void>() : not_a_select();
  }

  base::Result<void> run(const std::string& command) {
    if (mysql_real_query(connection_, command.data(), command.size()) != 0) return failure();
    return {};
  }

  /// Without this, freeing the result would read all remaining rows.
  void mysql_kill_reading() { mariadb_cancel(connection_); }

  static std::unexpected<base::Error> not_a_select() {
    return base::fail(base::Errc::invalid_argument, "the query for MariaDB must be a SELECT with columns");
  }
  static std::unexpected<base::Error> failed(const std::string& what) {
    return base::fail(base::Errc::invalid_data, "the query failed in MariaDB: " + what);
  }
  [[nodiscard]] std::unexpected<base::Error> failure() const { return failed(message()); }

  /// The server's message in one line; it never contains the password.
  [[nodiscard]] std::string message() const {
    std::string text = mysql_error(connection_);
    for (char& c : text)
      if (c == '\n' || c == '\r') c = ' ';
    return text;
  }

  MYSQL* connection_ = nullptr;
  MYSQL_RES* result_ = nullptr;
  MYSQL_ROW row_ = nullptr;
  unsigned long* sizes_ = nullptr;
  bool is_done_ = false;
  std::vector<std::string> columns_;
};

}  // namespace

base::Result<std::unique_ptr<SqlRows>> mariadb_rows(const MariadbAddress& address,
                                                    const std::optional<std::string>& password,
                                                    const std::string& query) {
  auto rows = std::make_unique<MariadbRows>();
  SHEAF_TRY(rows->open(address, password, query));
  return rows;
}

}  // namespace sheaf::publish
