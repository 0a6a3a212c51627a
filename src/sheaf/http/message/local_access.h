#pragma once

#include "sheaf/http/message/message.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Access control for servers that only the users of the same machine may use. A page of any site that is open
// in the browser can send requests to loopback addresses, so the Host must be ours, and the Origin, if
// present, must be the Host or one of our public names. DNS rebinding, which makes a name of the attacker
// resolve to a loopback address, changes neither header.
namespace sheaf::http::message {

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
