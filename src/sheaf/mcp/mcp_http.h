#pragma once

#include "sheaf/http/server/request_handler.h"
#include "sheaf/mcp/mcp_server.h"

#include <string>
#include <vector>

namespace sheaf::mcp {

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
