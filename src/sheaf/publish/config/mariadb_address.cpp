#include "sheaf/publish/config/mariadb_address.h"

#include "sheaf/base/escaping.h"

#include <charconv>
#include <optional>
#include <utility>

namespace sheaf::publish {
namespace {

constexpr std::string_view kForm =
    "write it as mariadb://user@host:3306/database, or mariadb://user@localhost/database?socket=/path";

std::unexpected<base::Error> wrong_address(std::string_view what) {
  return base::fail(base::Errc::invalid_argument,
                    "the database URL " + std::string(what) + "; " + std::string(kForm));
}

/// Removes the text before the first `mark`, and `mark` itself, from `rest`, and returns it; everything if
/// there is no `mark`.
std::string_view take_until(std::string_view& rest, char mark) {
  const std::size_t end = rest.find(mark);
  const std::string_view part = rest.substr(0, end);
  rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  return part;
}

base::Result<void> read_host(std::string_view text, MariadbAddress& address) {
  std::string_view port;
  if (text.starts_with('[')) {
    const std::size_t end = text.find(']');
    if (end == std::string_view::npos) return wrong_address("has a [ without its ]");
    address.host = text.substr(1, end - 1);
    port = text.substr(end + 1);
  } else {
    const std::size_t colon = text.find(':');
    address.host = text.substr(0, colon);
    if (colon != std::string_view::npos) port = text.substr(colon);
  }
  if (port.empty()) return {};
  if (!port.starts_with(':')) return wrong_address("has something between host and port");
  const char* const end = port.data() + port.size();
  const auto [last, error] = std::from_chars(port.data() + 1, end, address.port);
  if (error != std::errc() || last != end || address.port == 0)
    return wrong_address("has a port that is not a number from 1 to 65535");
  return {};
}

base::Result<void> read_parameter(std::string_view name, const std::string& value, MariadbAddress& address,
                                  std::optional<MariadbTls>& tls) {
  if (name == "socket") {
    address.socket = value;
  } else if (name == "ca") {
    address.authorities = value;
  } else if (name == "tls") {
    if (value == "off") tls = MariadbTls::off;
    if (value == "required") tls = MariadbTls::required;
    if (value == "verified") tls = MariadbTls::verified;
    if (!tls) return wrong_address("has a `tls` that is not off, required or verified");
  } else {
    return wrong_address("has a parameter that is not known; known are: socket, tls, ca");
  }
  return {};
}

bool has_control(std::string_view text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return true;
  return false;
}

}  // namespace

bool is_mariadb_url(std::string_view text) {
  return text.starts_with("mariadb://") || text.starts_with("mysql://");
}

bool is_this_machine(std::string_view host) {
  return host.empty() || host == "localhost" || host == "127.0.0.1" || host == "::1";
}

base::Result<MariadbAddress> parse_mariadb_url(std::string_view text) {
  if (!is_mariadb_url(text)) return wrong_address("does not begin with mariadb:// or mysql://");
  if (has_control(text)) return wrong_address("has a control character");
  text.remove_prefix(text.find("://") + 3);
  MariadbAddress address;
  std::string_view path = take_until(text, '?');
  std::string_view parameters = text;
  std::string_view authority = take_until(path, '/');
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    address.user = base::percent_decode(authority.substr(0, at));
    if (authority.substr(0, at).contains(':')) return wrong_address("has a password");
    authority.remove_prefix(at + 1);
  }
  SHEAF_TRY(read_host(authority, address));
  address.database = base::percent_decode(path);
  if (address.database.empty()) return wrong_address("names no database");
  std::optional<MariadbTls> tls;
  while (!parameters.empty()) {
    std::string_view value = take_until(parameters, '&');
    const std::string_view name = take_until(value, '=');
    SHEAF_TRY(read_parameter(name, base::percent_decode(value), address, tls));
  }
  const bool is_near = !address.socket.empty() || is_this_machine(address.host);
  address.tls = tls.value_or(is_near ? MariadbTls::off : MariadbTls::verified);
  if (has_control(address.user + address.database + address.socket + address.authorities))
    return wrong_address("has a control character");
  return address;
}

}  // namespace sheaf::publish
