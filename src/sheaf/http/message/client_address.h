#pragma once

#include "sheaf/base/error.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::http::message {

/// An IPv4 or IPv6 address. IPv4 is stored as ::ffff:a.b.c.d, so there is one form. The address of a client
/// on a Unix socket is all zeros.
struct ClientAddress {
  std::array<std::uint8_t, 16> bytes{};

  [[nodiscard]] bool is_ipv4() const noexcept;
  /// "192.0.2.1", "2001:db8::1", or "-" for a client without an address.
  [[nodiscard]] std::string str() const;
  /// The key for rate limits: an IPv4 address, or the /64 of an IPv6 address.
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

/// The client that sent a request. This is the peer, unless the peer is a trusted proxy: then it is the
/// right-most address of X-Forwarded-For that is not a trusted proxy, because the client controls everything
/// to its left. An entry that is not an address ends the search at the last proxy seen.
ClientAddress client_behind(const ClientAddress& peer, std::string_view forwarded_for,
                            std::span<const Network> trusted);

}  // namespace sheaf::http::message
