#include "sheaf/mcp/mcp_server.h"

#include "sheaf/base/ascii.h"
#include "sheaf/format/json/json_writer.h"
#include "sheaf/http/message/client_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::mcp {
namespace {

constexpr std::string_view kInstructions =
    "Pages of web sites, from a local copy. Use search to find pages, get_page to read one as Markdown (with "
    "heading or offset for a part of it), list_sites to see what there is, changes_since to follow changes.";

std::string text_param(const RpcMessage& message, std::string_view name) {
  const auto found = message.params.find(name);
  if (found == message.params.end()) return {};
  const auto* text = std::get_if<std::string>(&found->second);
  return text != nullptr ? *text : std::string();
}

}  // namespace

bool is_protocol_version(std::string_view version) {
  return std::ranges::find(kProtocolVersions, version) != kProtocolVersions.end();
}

std::optional<std::string> McpServer::handle(std::string_view text) {
  auto input = parse_rpc(text);
  if (!input) return rpc_error(input.error());
  std::string answers;
  for (const auto& message : input->messages) {
    const auto answer = message ? handle(*message) : rpc_error(message.error());
    if (!answer) continue;
    if (!answers.empty()) answers += ',';
    answers += *answer;
  }
  if (answers.empty()) return std::nullopt;
  return input->is_batch ? fmt::format("[{}]", answers) : answers;
}

std::optional<std::string> McpServer::handle(const RpcMessage& message) {
  if (message.kind != RpcMessage::Kind::request) return std::nullopt;
  auto result = result_of(message);
  if (result) return rpc_result(message.id, *result);
  result.error().id = message.id;
  return rpc_error(result.error());
}

std::expected<std::string, RpcFault> McpServer::result_of(const RpcMessage& message) {
  const std::string& method = message.method;
  if (method == "initialize") return initialize(message);
  if (method == "ping") return "{}";
  if (method == "tools/list") return tools_.list();
  if (method == "tools/call")
    return tools_.call(text_param(message, "name"), message.arguments.value_or(RpcValues{}));
  if (method == "resources/list") return tools_.list_resources(text_param(message, "cursor"));
  if (method == "resources/templates/list") return tools_.list_templates();
  if (method == "resources/read") return tools_.read_resource(text_param(message, "uri"));
  return std::unexpected(
      RpcFault{RpcCode::method_not_found, fmt::format("there is no method {}", method.substr(0, 100))});
}

/// An unsupported version is answered with our newest one; the client then decides whether to continue.
std::string McpServer::initialize(const RpcMessage& message) const {
  const std::string wanted = text_param(message, "protocolVersion");
  format::JsonWriter out;
  out.begin_object()
      .string("protocolVersion", is_protocol_version(wanted) ? wanted : kProtocolVersions.front())
      .raw("capabilities", R"({"tools":{},"resources":{}})")
      .begin_object("serverInfo")
      .string("name", "sheaf")
      .string("version", version_)
      .end_object()
      .string("instructions", kInstructions)
      .end_object();
  return out.text();
}

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
