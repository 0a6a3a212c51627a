#pragma once

#include "sheaf/http/server/server.h"
#include "sheaf/mcp/mcp_tools.h"
#include "sheaf/mcp/rpc_message.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::mcp {

/// The supported versions of the protocol, the newest first.
inline constexpr std::array<std::string_view, 4> kProtocolVersions{"2025-11-25", "2025-06-18", "2025-03-26",
                                                                   "2024-11-05"};
bool is_protocol_version(std::string_view version);

/// Answers the messages of MCP clients from a store. Thread-safe, because it keeps no state of clients; the
/// transport decides where responses go.
class McpServer {
 public:
  /// `version` is the version of the program.
  McpServer(McpTools& tools, std::string version) : tools_(tools), version_(std::move(version)) {}

  /// Returns the response to a message or a batch of messages; nullopt if none is due (for notifications and
  /// responses). Invalid input does not make it fail or throw: faults become responses.
  std::optional<std::string> handle(std::string_view text);

 private:
  std::optional<std::string> handle(const RpcMessage& message);
  std::expected<std::string, RpcFault> result_of(const RpcMessage& message);
  [[nodiscard]] std::string initialize(const RpcMessage& message) const;

  McpTools& tools_;
  std::string version_;
};

/// The path of the endpoint.
inline constexpr std::string_view kMcpPath = "/mcp";

struct McpHttpOptions {
  std::string token;  ///< unless empty, requests need `Authorization: Bearer TOKEN`
  /// Hosts that a browser's Origin and the Host field may name, in addition to loopback names:
  /// "mcp.example.com:8443".
  std::vector<std::string> hosts = {};
};

/// The transport "Streamable HTTP", without sessions and without streams: a POST is answered with JSON, and a
/// GET with 405, which the protocol allows for a server that only sends responses.
///
/// A web page in a browser must not be able to reach a server on loopback. So Host must have a name of this
/// server, and Origin, if there is one, must be this server's own; DNS rebinding changes neither of them.
class McpHttp final : public http::server::RequestHandler {
 public:
  McpHttp(McpServer& server, McpHttpOptions options) : server_(server), options_(std::move(options)) {}

  http::server::Response respond(const http::server::Request& request) override;
  [[nodiscard]] bool takes_posts() const override { return true; }

 private:
  [[nodiscard]] bool is_authorised(std::string_view field) const;

  McpServer& server_;
  McpHttpOptions options_;
};

}  // namespace sheaf::mcp
