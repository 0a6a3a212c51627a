#include "sheaf/mcp/mcp_http.h"

#include "sheaf/base/ascii.h"
#include "sheaf/http/message/local_access.h"

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

}  // namespace

bool McpHttp::is_authorised(std::string_view field) const {
  return options_.token.empty() ||
         http::message::is_same_secret(http::message::bearer_token(field), options_.token);
}

Response McpHttp::respond(const http::server::Request& request) {
  using http::message::AccessVerdict;
  const AccessVerdict verdict = http::message::judge_access(request.fields, options_.hosts);
  if (verdict == AccessVerdict::wrong_origin)
    return refuse(403, "this server does not accept requests from pages of other sites");
  if (verdict == AccessVerdict::wrong_host)
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
    return refuse(400, "this version of the protocol is not supported");
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
