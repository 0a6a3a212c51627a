#include "sheaf/http/message/local_access.h"

#include "sheaf/base/ascii.h"

#include <algorithm>

namespace sheaf::http::message {
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
