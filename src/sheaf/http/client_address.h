#pragma once

#include "sheaf/base/error.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::http {

/// An IPv4 or IPv6 address; IPv4 as ::ffff:a.b.c.d, so that there is one form. A client on a Unix socket has
/// the address of all zeros.
struct ClientAddress {
  std::array<std::uint8_t, 16> bytes{};

  [[nodiscard]] bool is_ipv4() const noexcept;
  /// "192.0.2.1", "2001:db8::1", or "-" for a client without an address.
  [[nodiscard]] std::string str() const;
  /// What shares one allowance: an IPv4 address, or the /64 an IPv6 customer is given.
  [[nodiscard]] ClientAddress rate_key() const noexcept;

  friend bool operator==(const ClientAddress&, const ClientAddress&) = default;
};

/// Dotted decimal or IPv6 without brackets and zone; nullopt for anything else.
std::optional<ClientAddress> parse_client_address(std::string_view text);

/// A block of addresses: "10.0.0.0/8", "2001:db8::/32", or a single address.
class Network {
 public:
  static base::Result<Network> parse(std::string_view text);
  [[nodiscard]] bool contains(const ClientAddress& address) const noexcept;

 private:
  ClientAddress first_;
  unsigned bits_ = 128;
};

/// Whom a request came from. Without trusted proxies, or from any other peer: the peer. From a trusted proxy:
/// the right-most address of X-Forwarded-For that is not a trusted proxy itself, since all before it is what
/// the client chose to write. An entry that is no address ends the search at the last proxy seen.
ClientAddress client_behind(const ClientAddress& peer, std::string_view forwarded_for,
                            std::span<const Network> trusted);

}  // namespace sheaf::http
