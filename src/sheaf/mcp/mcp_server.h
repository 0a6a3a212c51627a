#pragma once

#include "sheaf/mcp/mcp_tools.h"
#include "sheaf/mcp/rpc_message.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

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

}  // namespace sheaf::mcp
