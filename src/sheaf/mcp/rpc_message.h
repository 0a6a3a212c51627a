#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// JSON-RPC 2.0, as far as the Model Context Protocol uses it. The requests that we answer have flat
// parameters, so parameters are kept as names with simple values. The content of lists and objects is not
// kept.
namespace sheaf::mcp {

/// Codes of JSON-RPC and of MCP.
enum class RpcCode : std::int32_t {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  resource_not_found = -32002,
};

struct RpcFault {
  RpcCode code = RpcCode::internal_error;
  std::string message;
  std::string id = "null";  ///< id of the request, as JSON
};

/// A list or an object.
struct CompoundValue {
  friend bool operator==(CompoundValue, CompoundValue) = default;
};
using RpcValue = std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, CompoundValue>;
using RpcValues = std::map<std::string, RpcValue, std::less<>>;

struct RpcMessage {
  enum class Kind : std::uint8_t { request, notification, response };
  Kind kind = Kind::request;
  std::string id;      ///< id of a request, as JSON: a string or a number
  std::string method;  ///< empty for a response
  RpcValues params;
  std::optional<RpcValues> arguments;  ///< the object `arguments` in params
};

/// One input from a client: a message, or a batch of messages.
struct RpcInput {
  bool is_batch = false;
  std::vector<std::expected<RpcMessage, RpcFault>> messages;
};

inline constexpr std::size_t kMaxRpcBytes = std::size_t{1} << 20U;
inline constexpr std::size_t kMaxBatch = 50;
inline constexpr std::size_t kMaxParams = 64;

/// Returns a fault if `text` is not JSON or too large, or if it is an empty or too long batch.
std::expected<RpcInput, RpcFault> parse_rpc(std::string_view text);

/// {"jsonrpc":"2.0","id":...,"result":...}; `result` is JSON.
std::string rpc_result(std::string_view id, std::string_view result);
std::string rpc_error(const RpcFault& fault);

/// The result of a tool.
struct ToolResult {
  std::string text;        ///< for the model
  std::string structured;  ///< the same as a JSON object; may be empty
};

/// Reads the arguments of a call. Remembers the first fault, so that a tool can read everything it needs and
/// check once. Arguments that were not read count as faults too.
class ToolArguments {
 public:
  explicit ToolArguments(const RpcValues& values) : values_(values) {}

  /// Returns an empty text if the argument is missing.
  std::string text(std::string_view name);
  std::string required_text(std::string_view name);
  std::uint64_t number(std::string_view name, std::uint64_t fallback, std::uint64_t least,
                       std::uint64_t most);
  bool flag(std::string_view name);

  /// Returns the first fault. Must be called after everything was read.
  std::optional<std::string> fault();

 private:
  const RpcValue* find(std::string_view name);
  void add_fault(std::string message);

  const RpcValues& values_;
  std::set<std::string, std::less<>> read_;
  std::string fault_;
};

}  // namespace sheaf::mcp
