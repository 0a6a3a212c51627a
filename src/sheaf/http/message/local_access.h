#pragma once

#include "sheaf/http/message/message.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Who may talk to a server that is meant for the people of one machine. Pages of any site run in the same
// browser, and can send requests to loopback addresses: the Origin, where there is one, and the Host must be
// ours. DNS rebinding, which makes a name of the attacker's lead to loopback, changes neither.
namespace sheaf::http::message {

/// Whether "127.0.0.1:8080", "[::1]:8080" or "localhost:8080" names this machine itself.
bool is_loopback_authority(std::string_view authority);

/// Whether a request names a loopback address or one of `hosts` ("mcp.example.com:8443", in lower case).
bool is_own_authority(std::string_view authority, const std::vector<std::string>& hosts);

enum class AccessVerdict : std::uint8_t { allowed, wrong_origin, wrong_host };
AccessVerdict judge_access(const Fields& fields, const std::vector<std::string>& hosts);

/// Whether an Origin is that of a server which the client calls `host`: "http://localhost:8080" and
/// "localhost:8080".
bool is_origin_of(std::string_view origin, std::string_view host);

/// Compares in a time that does not depend on where two texts differ.
bool is_same_secret(std::string_view a, std::string_view b);

/// The token of `Authorization: Bearer TOKEN`; empty for any other value.
std::string_view bearer_token(std::string_view authorization);

/// The value of a cookie; empty if there is none of that name.
std::string_view cookie_value(std::string_view cookies, std::string_view name);

}  // namespace sheaf::http::message
