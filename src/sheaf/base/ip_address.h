#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::base {

using Ipv6Pieces = std::array<std::uint16_t, 8>;

/// True if the URL Standard would read the host as an IPv4 address, or refuse it: its last label, a final dot
/// aside, is a decimal, octal or hexadecimal number.
bool ends_in_number(std::string_view host) noexcept;

/// The address in any of the forms the URL Standard takes: one to four parts, each decimal, octal (0...) or
/// hexadecimal (0x...), the last one filling the bytes left. nullopt on any other text or a part out of
/// range.
std::optional<std::uint32_t> parse_ipv4(std::string_view host) noexcept;

/// The address without its brackets. An embedded IPv4 tail is taken; a zone is not. nullopt on any other
/// text.
std::optional<Ipv6Pieces> parse_ipv6(std::string_view host) noexcept;

/// Four decimal parts.
void append_ipv4(std::string& out, std::uint32_t address);

/// Without brackets: lower-case, the first longest run of two or more zero pieces as "::".
void append_ipv6(std::string& out, const Ipv6Pieces& pieces);

}  // namespace sheaf::base
