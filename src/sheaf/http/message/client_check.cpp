#include "sheaf/http/message/client_check.h"

#include "sheaf/base/ascii.h"
#include "sheaf/http/message/message.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace sheaf::http::message {
namespace {

constexpr std::array<std::uint8_t, 12> kMapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

/// An entry of X-Forwarded-For: an address. Some proxies add brackets or a port.
std::optional<ClientAddress> parse_entry(std::string_view entry) {
  entry = trim_blanks(entry);
  if (entry.starts_with('[')) {
    const std::size_t end = entry.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    return parse_client_address(entry.substr(1, end - 1));
  }
  const std::size_t colon = entry.find(':');
  if (colon != std::string_view::npos && entry.find(':', colon + 1) == std::string_view::npos)
    return parse_client_address(entry.substr(0, colon));
  return parse_client_address(entry);
}

bool is_trusted(const ClientAddress& address, std::span<const Network> trusted) {
  return std::any_of(trusted.begin(), trusted.end(),
                     [&](auto& network) { return network.contains(address); });
}

}  // namespace

bool ClientAddress::is_ipv4() const noexcept {
  return std::equal(kMapped.begin(), kMapped.end(), bytes.begin());
}

std::string ClientAddress::str() const {
  if (*this == ClientAddress{}) return "-";
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (is_ipv4())
    inet_ntop(AF_INET, bytes.data() + 12, text.data(), text.size());
  else
    inet_ntop(AF_INET6, bytes.data(), text.data(), text.size());
  return text.data();
}

ClientAddress ClientAddress::rate_key() const noexcept {
  if (is_ipv4()) return *this;
  ClientAddress key;
  std::copy_n(bytes.begin(), 8, key.bytes.begin());
  return key;
}

std::optional<ClientAddress> parse_client_address(std::string_view text) {
  // inet_pton needs a terminated string. No address is longer than this.
  std::array<char, INET6_ADDRSTRLEN> copy{};
  if (text.size() >= copy.size() || text.find('\0') != std::string_view::npos) return std::nullopt;
  std::copy(text.begin(), text.end(), copy.begin());
  ClientAddress address;
  if (inet_pton(AF_INET6, copy.data(), address.bytes.data()) == 1) return address;
  std::copy(kMapped.begin(), kMapped.end(), address.bytes.begin());
  if (inet_pton(AF_INET, copy.data(), address.bytes.data() + 12) == 1) return address;
  return std::nullopt;
}

base::Result<Network> Network::parse(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto address = parse_client_address(text.substr(0, slash));
  const auto bad = [&] {
    return base::fail(
        base::Errc::invalid_argument,
        fmt::format("{} is not an address or network; write 192.0.2.1, 10.0.0.0/8 or 2001:db8::/32", text));
  };
  if (!address) return bad();
  Network network;
  network.first_ = *address;
  if (slash == std::string_view::npos) return network;
  const std::string_view digits = text.substr(slash + 1);
  const unsigned most = address->is_ipv4() ? 32 : 128;
  unsigned bits = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bits);
  if (error != std::errc() || end != digits.data() + digits.size() || bits > most) return bad();
  network.bits_ = bits + 128 - most;
  return network;
}

bool Network::contains(const ClientAddress& address) const noexcept {
  const std::size_t whole = bits_ / 8;
  if (!std::equal(first_.bytes.begin(), first_.bytes.begin() + static_cast<std::ptrdiff_t>(whole),
                  address.bytes.begin()))
    return false;
  if (bits_ % 8 == 0) return true;
  const unsigned shift = 8 - bits_ % 8;
  return first_.bytes[whole] >> shift == address.bytes[whole] >> shift;
}

ClientAddress client_behind(const ClientAddress& peer, std::string_view forwarded_for,
                            std::span<const Network> trusted) {
  ClientAddress client = peer;
  while (is_trusted(client, trusted) && !forwarded_for.empty()) {
    const std::size_t comma = forwarded_for.rfind(',');
    const auto entry =
        parse_entry(comma == std::string_view::npos ? forwarded_for : forwarded_for.substr(comma + 1));
    if (!entry) break;
    client = *entry;
    forwarded_for = comma == std::string_view::npos ? std::string_view() : forwarded_for.substr(0, comma);
  }
  return client;
}

namespace {

/// "host:port" of an Origin; empty for "null" and for other schemes.
std::string_view authority_of(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"})
    if (origin.starts_with(scheme)) return origin.substr(scheme.size());
  return {};
}

bool is_one_of(std::string_view authority, const std::vector<std::string>& hosts) {
  return std::ranges::find(hosts, base::lower_text(authority)) != hosts.end();
}

}  // namespace

bool is_loopback_authority(std::string_view authority) {
  std::string_view host = authority.substr(0, authority.rfind(':'));
  if (authority.starts_with('[')) host = authority.substr(0, authority.find(']') + 1);
  const std::string name = base::lower_text(host);
  return name == "localhost" || name == "127.0.0.1" || name == "[::1]";
}

bool is_own_authority(std::string_view authority, const std::vector<std::string>& hosts) {
  return is_loopback_authority(authority) || is_one_of(authority, hosts);
}

AccessVerdict judge_access(const Fields& fields, const std::vector<std::string>& hosts) {
  const std::string_view origin = fields.first("Origin");
  const std::string_view host = fields.first("Host");
  // Another port of this machine is another origin, and anybody's pages may come from there.
  if (fields.count("Origin") > 0 && !is_origin_of(origin, host) && !is_one_of(authority_of(origin), hosts))
    return AccessVerdict::wrong_origin;
  if (!is_own_authority(host, hosts)) return AccessVerdict::wrong_host;
  return AccessVerdict::allowed;
}

bool is_origin_of(std::string_view origin, std::string_view host) {
  return !host.empty() && equal_ignoring_case(authority_of(origin), host);
}

bool is_same_secret(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const char other = b.empty() ? '\0' : b[i % b.size()];
    difference |= static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(other));
  }
  return difference == 0;
}

std::string_view bearer_token(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  if (base::lower_text(authorization.substr(0, kScheme.size())) != kScheme) return {};
  return trim_blanks(authorization.substr(kScheme.size()));
}

std::string_view cookie_value(std::string_view cookies, std::string_view name) {
  while (!cookies.empty()) {
    const std::size_t end = std::min(cookies.find(';'), cookies.size());
    const std::string_view pair = trim_blanks(cookies.substr(0, end));
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == name) return pair.substr(equals + 1);
  }
  return {};
}

}  // namespace sheaf::http::message
