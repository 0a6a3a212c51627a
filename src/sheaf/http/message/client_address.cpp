#include "sheaf/http/message/client_address.h"

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

}  // namespace sheaf::http::message
