#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::base {

/// The URL Standard's "domain to ASCII" with beStrict false. An ASCII domain is converted to lower case; any
/// other domain is processed by UTS #46 (non-transitional, with CheckBidi and CheckJoiners, without
/// CheckHyphens, VerifyDnsLength and UseSTD3ASCIIRules).
///
/// Returns nullopt if the domain is not valid UTF-8, if UTS #46 refuses it, or if it is not ASCII and longer
/// than 2 KiB (ICU also limits a label to 1000 code points). The result may still contain ASCII characters
/// that are forbidden in a host; the caller must check for them.
std::optional<std::string> domain_to_ascii(std::string_view domain);

using Ipv6Pieces = std::array<std::uint16_t, 8>;

/// Whether the last label of the host, ignoring a final dot, is a decimal, octal or hexadecimal number. The
/// URL Standard parses such a host as an IPv4 address, or refuses it.
bool ends_in_number(std::string_view host) noexcept;

/// Parses an IPv4 address in any form that the URL Standard accepts: one to four parts, each decimal, octal
/// (0...) or hexadecimal (0x...). The last part fills the remaining bytes. Returns nullopt for any other
/// text, or if a part is out of range.
std::optional<std::uint32_t> parse_ipv4(std::string_view host) noexcept;

/// Parses an IPv6 address without brackets. The last 32 bits may be an IPv4 address. Returns nullopt for any
/// other text, including an address with a zone.
std::optional<Ipv6Pieces> parse_ipv6(std::string_view host) noexcept;

/// Appends the address as four decimal parts.
void append_ipv4(std::string& out, std::uint32_t address);

/// Appends the address without brackets, in lower case. The longest run of two or more zero pieces (the first
/// one, if several are as long) becomes "::".
void append_ipv6(std::string& out, const Ipv6Pieces& pieces);

/// The URL Standard's host parser and serialiser for http(s): appends `host` (a domain, IPv4 or bracketed
/// IPv6 address, possibly percent-encoded) in normal form. Returns false if it is not a valid host; `out` is
/// then unspecified.
bool append_host(std::string& out, std::string_view host);

}  // namespace sheaf::base
