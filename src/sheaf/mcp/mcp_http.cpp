#include "sheaf/mcp/mcp_http.h"

#include "sheaf/base/ascii.h"

#include <algorithm>

namespace sheaf::mcp {
namespace {

using http::message::Method;
using http::server::Response;

Response refuse(unsigned status, std::string text) {
  Response response;
  response.status = status;
  response.text = std::move(text);
  return response;
}

/// Constant-time comparison: the time does not reveal where the tokens differ.
bool is_same_secret(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |=
        static_cast<unsigned>(static_cast<unsigned char>(a[i]) ^
                              static_cast<unsigned char>(b[i % std::max<std::size_t>(b.size(), 1)]));
  return difference == 0;
}

/// "host:port" of an Origin; empty for "null" and for other schemes.
std::string_view authority_of(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"})
    if (origin.starts_with(scheme)) return origin.substr(scheme.size());
  return {};
}

}  // namespace

bool is_loopback_authority(std::string_view authority) {
  std::string_view host = authority.substr(0, authority.rfind(':'));
  if (authority.starts_with('[')) host = authority.substr(0, authority.find(']') + 1);
  const std::string name = base::lower_text(host);
  return name == "localhost" || name == "127.0.0.1" || name == "[::1]";
}

bool McpHttp::is_our_host(std::string_view authority) const {
  return is_loopback_authority(authority) ||
         std::ranges::find(options_.hosts, base::lower_text(authority)) != options_.hosts.end();
}

bool McpHttp::is_authorised(std::string_view field) const {
  constexpr std::string_view kScheme = "bearer ";
  if (options_.token.empty()) return true;
  return base::lower_text(field.substr(0, kScheme.size())) == kScheme &&
         is_same_secret(field.substr(kScheme.size()), options_.token);
}

Response McpHttp::respond(const http::server::Request& request) {
  const std::string_view origin = request.fields.first("Origin");
  if (request.fields.count("Origin") > 0 && !is_our_host(authority_of(origin)))
    return refuse(403, "this server takes no requests from pages of other sites");
  if (!is_our_host(request.fields.first("Host")))
    return refuse(403, "this server does not have that name; --host adds one");
  if (!is_authorised(request.fields.first("Authorization"))) {
    Response response = refuse(401, "a token is needed");
    response.headers.push_back({"WWW-Authenticate", "Bearer"});
    return response;
  }
  if (request.path != kMcpPath) return refuse(404, "the endpoint is /mcp");
  if (request.method != Method::post) {
    Response response = refuse(405, "send messages with POST; there is no stream of events");
    response.headers.push_back({"Allow", "POST"});
    return response;
  }
  const std::string_view version = request.fields.first("MCP-Protocol-Version");
  if (!version.empty() && !is_protocol_version(version))
    return refuse(400, "this version of the protocol is not spoken here");
  const std::string type = base::lower_text(request.fields.first("Content-Type"));
  if (!type.starts_with("application/json")) return refuse(415, "messages are application/json");
  const auto text = server_.handle(request.body);
  Response response;
  response.status = text ? 200 : 202;
  response.text = text.value_or("");
  response.content_type = "application/json";
  return response;
}

}  // namespace sheaf::mcp
