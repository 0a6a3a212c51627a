#pragma once

#include "sheaf/mcp/mcp_tools.h"
#include "sheaf/mcp/rpc_message.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::mcp {

/// Versions of the protocol that are spoken, the newest first.
inline constexpr std::array<std::string_view, 4> kProtocolVersions{"2025-11-25", "2025-06-18", "2025-03-26",
                                                                   "2024-11-05"};
bool is_protocol_version(std::string_view version);

/// Answers the messages of MCP clients from a store. It keeps no state of clients: any thread may pass any
/// message, and the transport decides where responses go.
class McpServer {
 public:
  /// `version` is that of the program.
  McpServer(McpTools& tools, std::string version) : tools_(tools), version_(std::move(version)) {}

  /// The answer to a message or list of messages; nothing where none is due (notifications, responses).
  /// Never fails or throws because of the input: faults are responses.
  std::optional<std::string> handle(std::string_view text);

 private:
  std::optional<std::string> handle(const RpcMessage& message);
  std::expected<std::string, RpcFault> result_of(const RpcMessage& message);
  [[nodiscard]] std::string initialize(const RpcMessage& message) const;

  McpTools& tools_;
  std::string version_;
};

}  // namespace sheaf::mcp
