#pragma once

#include "sheaf/mcp/rpc_message.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace sheaf::mcp {

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
