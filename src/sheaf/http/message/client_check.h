#pragma once

#include "sheaf/base/error.h"
#include "sheaf/http/message/message.h"

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

// Access control for servers that only the users of the same machine may use. A page of any site that is open
// in the browser can send requests to loopback addresses, so the Host must be ours, and the Origin, if
// present, must be the Host or one of our public names. DNS rebinding, which makes a name of the attacker
// resolve to a loopback address, changes neither header.

/// Whether an authority such as "127.0.0.1:8080", "[::1]:8080" or "localhost:8080" is a loopback address.
bool is_loopback_authority(std::string_view authority);

/// Whether an authority is a loopback address or one of `hosts` ("mcp.example.com:8443", in lower case).
bool is_own_authority(std::string_view authority, const std::vector<std::string>& hosts);

enum class AccessVerdict : std::uint8_t { allowed, wrong_origin, wrong_host };
/// Checks the Origin, if there is one, and the Host of a request: the Origin must be that of the Host, or one
/// of `hosts`.
AccessVerdict judge_access(const Fields& fields, const std::vector<std::string>& hosts);

/// Whether `origin` ("http://localhost:8080") has the authority `host` ("localhost:8080"), so that the
/// request comes from a page of this server.
bool is_origin_of(std::string_view origin, std::string_view host);

/// Compares in constant time: the duration does not depend on where the texts differ.
bool is_same_secret(std::string_view a, std::string_view b);

/// The token of `Authorization: Bearer TOKEN`; empty for any other value.
std::string_view bearer_token(std::string_view authorization);

/// The value of a cookie; empty if there is none of that name.
std::string_view cookie_value(std::string_view cookies, std::string_view name);

}  // namespace sheaf::http::message
