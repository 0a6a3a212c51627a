#include "sheaf/mcp/mcp_server.h"

#include "sheaf/format/json/json_writer.h"

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

}  // namespace sheaf::mcp
