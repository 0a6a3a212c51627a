#include "sheaf/store/shared/pg_connection.h"

#include "sheaf/store/shared_stores.h"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <array>
#include <bit>
#include <utility>

namespace sheaf::store::shared {
namespace {

using base::Errc;
using base::fail;
using base::Result;

std::string on_one_line(const char* message) {
  std::string text = message == nullptr ? "out of memory" : message;
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

/// Decided by the class of the SQLSTATE, or by the whole code.
SqlFailure failure_of(std::string_view state) {
  if (state.empty() || state.starts_with("08") || state.starts_with("57P") || state == "25P03" ||
      state == "25006")  // a standby that refuses writes during a failover
    return SqlFailure::lost;
  if (state.starts_with("40") || state == "23505" || state == "55P03") return SqlFailure::conflict;
  if (state == "42P01" || state == "3F000" || state == "42703") return SqlFailure::missing;
  return SqlFailure::other;
}

Errc code_of(std::string_view state) {
  if (state.starts_with("28") || state == "42501") return Errc::permission_denied;
  if (state == "53100") return Errc::no_space;
  if (state == "3D000" || failure_of(state) == SqlFailure::missing) return Errc::not_found;
  return Errc::io;
}

struct OptionsDeleter {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};

}  // namespace

void SqlArray::add(std::int64_t number) {
  separate();
  text_ += std::to_string(number);
}

void SqlArray::add_text(std::string_view text) {
  separate();
  text_ += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') text_ += '\\';
    text_ += c;
  }
  text_ += '"';
}

void SqlArray::add_bytes(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  separate();
  text_ += "\"\\\\x";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text_ += kDigits[byte >> 4U];
    text_ += kDigits[byte & 15U];
  }
  text_ += '"';
}

void PgRows::Clear::operator()(pg_result* result) const { PQclear(result); }

int PgRows::size() const { return PQntuples(result_.get()); }

bool PgRows::is_null(int row, int column) const { return PQgetisnull(result_.get(), row, column) != 0; }

std::string_view PgRows::text(int row, int column) const {
  return {PQgetvalue(result_.get(), row, column),
          static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
}

std::int64_t PgRows::number(int row, int column) const {
  const std::string_view bytes = text(row, column);
  if (bytes.empty()) return 0;
  // Sign extension of the first byte.
  std::uint64_t value = (static_cast<unsigned char>(bytes[0]) & 128U) != 0 ? UINT64_MAX : 0;
  for (const char byte : bytes) value = value << 8U | static_cast<unsigned char>(byte);
  return static_cast<std::int64_t>(value);
}

double PgRows::real(int row, int column) const {
  const std::string_view bytes = text(row, column);
  if (bytes.size() != sizeof(float)) return 0;
  std::uint32_t bits = 0;
  for (const char byte : bytes) bits = bits << 8U | static_cast<unsigned char>(byte);
  return std::bit_cast<float>(bits);
}

std::int64_t PgRows::changed() const {
  const char* const count = PQcmdTuples(result_.get());
  return count == nullptr || *count == '\0' ? 0 : std::stoll(count);
}

Result<std::unique_ptr<PgConnection>> PgConnection::open(const std::string& url) {
  // libpq uses the last value of a parameter: the URL overrides those before it, `client_encoding` overrides
  // the URL.
  const std::array<const char*, 5> names = {"connect_timeout", "fallback_application_name", "dbname",
                                            "client_encoding", nullptr};
  const std::array<const char*, 5> values = {"10", "sheaf", url.c_str(), "UTF8", nullptr};
  PGconn* const raw = PQconnectdbParams(names.data(), values.data(), 1);
  if (raw == nullptr) return fail(Errc::io, "cannot connect to PostgreSQL: out of memory");
  std::unique_ptr<PgConnection> connection(new PgConnection(raw));
  // By default, libpq prints notices.
  PQsetNoticeProcessor(raw, [](void*, const char*) {}, nullptr);
  if (PQstatus(raw) == CONNECTION_OK) return connection;
  const std::string message = on_one_line(PQerrorMessage(raw));
  // libpq does not report the SQLSTATE of a failed connection, so only its message can be examined.
  Errc code = Errc::io;
  if (message.find("authentication failed") != std::string::npos ||
      message.find("no password supplied") != std::string::npos)
    code = Errc::permission_denied;
  if (message.find("database \"") != std::string::npos && message.ends_with("does not exist"))
    code = Errc::not_found;
  return fail(code, fmt::format("cannot connect to {}: {}", name_of_url(url), message));
}

PgConnection::~PgConnection() { PQfinish(connection_); }

bool PgConnection::is_usable() const {
  return PQstatus(connection_) == CONNECTION_OK && PQtransactionStatus(connection_) == PQTRANS_IDLE;
}

std::unexpected<base::Error> PgConnection::fail_with(const pg_result* result) {
  const char* const state = result == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const std::string_view code = state == nullptr ? std::string_view() : std::string_view(state);
  failure_ = PQstatus(connection_) != CONNECTION_OK ? SqlFailure::lost : failure_of(code);
  const char* const primary =
      result == nullptr ? nullptr : PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  const std::string message = on_one_line(primary != nullptr ? primary : PQerrorMessage(connection_));
  return fail(failure_ == SqlFailure::lost ? Errc::io : code_of(code),
              failure_ == SqlFailure::lost
                  ? fmt::format("the connection to PostgreSQL failed: {}", message)
                  : fmt::format("PostgreSQL refused a statement: {} ({})", message, code));
}

std::unexpected<base::Error> PgConnection::fail_as_conflict() {
  failure_ = SqlFailure::conflict;
  return fail(Errc::io, "another transaction changed the same rows");
}

Result<PgRows> PgConnection::query(const std::string& sql, const SqlParams& params) {
  failure_ = SqlFailure::none;
  std::vector<const char*> values;
  std::vector<int> lengths;
  std::vector<int> formats;
  for (const SqlParam& param : params) {
    values.push_back(param.is_null() ? nullptr : param.value().c_str());
    lengths.push_back(static_cast<int>(param.value().size()));
    formats.push_back(param.is_binary() ? 1 : 0);
  }
  constexpr int kBinary = 1;
  PGresult* const raw = PQexecParams(connection_, sql.c_str(), static_cast<int>(params.size()), nullptr,
                                     values.data(), lengths.data(), formats.data(), kBinary);
  PgRows rows(raw);
  const ExecStatusType status = PQresultStatus(raw);
  if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK) return rows;
  return fail_with(raw);
}

Result<void> PgConnection::run(const char* command) {
  SHEAF_TRY(query(command));
  return {};
}

Result<void> PgConnection::begin(Isolation isolation) {
  return run(isolation == Isolation::snapshot ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
                                              : "BEGIN ISOLATION LEVEL READ COMMITTED");
}

Result<void> PgConnection::commit() { return run("COMMIT"); }

void PgConnection::rollback() {
  if (PQstatus(connection_) != CONNECTION_OK) return;
  if (PQtransactionStatus(connection_) == PQTRANS_IDLE) return;
  const SqlFailure failure = failure_;  // the failure of the statement before matters
  (void)run("ROLLBACK");
  failure_ = failure;
}

Result<void> check_postgres_url(const std::string& url) {
  // The error repeats neither the URL nor libpq's message, because both may contain a password.
  const std::unique_ptr<PQconninfoOption, OptionsDeleter> options(PQconninfoParse(url.c_str(), nullptr));
  if (!options)
    return fail(Errc::invalid_argument,
                "the URL of the store cannot be parsed: give postgresql://USER@HOST:PORT/DATABASE");
  for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
    const std::string_view keyword = option->keyword;
    if ((keyword != "password" && keyword != "sslpassword") || option->val == nullptr) continue;
    return fail(Errc::invalid_argument,
                "the URL of the store contains a password, which other users of this machine can see: leave "
                "it out, and put it into ~/.pgpass, a service file or the variable PGPASSWORD");
  }
  return {};
}

}  // namespace sheaf::store::shared
