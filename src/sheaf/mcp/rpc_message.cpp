#include "sheaf/mcp/rpc_message.h"

#include "sheaf/format/json/json_writer.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <cmath>
#include <utility>

namespace sheaf::mcp {
namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;
using simdjson::dom::object;

// Deeper nesting has no use here.
constexpr std::size_t kMaxDepth = 64;

RpcFault invalid(std::string message, std::string id = "null") {
  return {RpcCode::invalid_request, std::move(message), std::move(id)};
}

RpcValue value_of(const element& from) {
  switch (from.type()) {
    case element_type::BOOL: return bool(from);
    case element_type::INT64: return std::int64_t(from);
    case element_type::UINT64:
    case element_type::DOUBLE: return double(from);
    case element_type::STRING: return std::string(std::string_view(from));
    case element_type::NULL_VALUE: return nullptr;
    default: return CompoundValue{};
  }
}

std::expected<RpcValues, RpcFault> values_of(const object& from, const std::string& id) {
  if (from.size() > kMaxParams)
    return std::unexpected(
        RpcFault{RpcCode::invalid_params, fmt::format("more than {} parameters", kMaxParams), id});
  RpcValues values;
  for (const auto& [name, value] : from) values.insert_or_assign(std::string(name), value_of(value));
  return values;
}

/// MCP: a string or an integer, never null.
std::expected<std::string, RpcFault> id_of(const element& from) {
  if (!from.is_string() && !from.is_int64() && !from.is_uint64())
    return std::unexpected(invalid("the id must be a string or an integer"));
  return simdjson::to_string(from);
}

std::expected<void, RpcFault> read_params(const element& from, RpcMessage& message) {
  const std::string id = message.id.empty() ? "null" : message.id;  // a notification has no id
  object params;
  if (from.get(params) != simdjson::SUCCESS)
    return std::unexpected(RpcFault{RpcCode::invalid_params, "params must be an object", id});
  auto values = values_of(params, id);
  if (!values) return std::unexpected(values.error());
  message.params = std::move(*values);
  element arguments;
  if (params["arguments"].get(arguments) != simdjson::SUCCESS || arguments.is_null()) return {};
  object inner;
  if (arguments.get(inner) != simdjson::SUCCESS)
    return std::unexpected(RpcFault{RpcCode::invalid_params, "arguments must be an object", id});
  auto given = values_of(inner, id);
  if (!given) return std::unexpected(given.error());
  message.arguments = std::move(*given);
  return {};
}

std::expected<RpcMessage, RpcFault> message_of(const element& from) {
  object members;
  if (from.get(members) != simdjson::SUCCESS) return std::unexpected(invalid("a message must be an object"));
  RpcMessage message;
  element value;
  const bool has_id = members["id"].get(value) == simdjson::SUCCESS;
  if (has_id) {
    auto id = id_of(value);
    if (!id) return std::unexpected(id.error());
    message.id = std::move(*id);
  }
  std::string_view version;
  if (members["jsonrpc"].get(version) != simdjson::SUCCESS || version != "2.0")
    return std::unexpected(invalid("jsonrpc must be \"2.0\"", has_id ? message.id : "null"));
  std::string_view method;
  if (members["method"].get(value) != simdjson::SUCCESS) {
    const bool is_response =
        members["result"].get(value) == simdjson::SUCCESS || members["error"].get(value) == simdjson::SUCCESS;
    if (!is_response || !has_id)
      return std::unexpected(invalid("the message has no method", has_id ? message.id : "null"));
    message.kind = RpcMessage::Kind::response;
    return message;
  }
  if (value.get(method) != simdjson::SUCCESS)
    return std::unexpected(invalid("method must be a string", has_id ? message.id : "null"));
  message.method = method;
  message.kind = has_id ? RpcMessage::Kind::request : RpcMessage::Kind::notification;
  if (members["params"].get(value) == simdjson::SUCCESS)
    if (auto read = read_params(value, message); !read) return std::unexpected(read.error());
  return message;
}

}  // namespace

std::expected<RpcInput, RpcFault> parse_rpc(std::string_view text) {
  if (text.size() > kMaxRpcBytes)
    return std::unexpected(
        RpcFault{RpcCode::invalid_request, fmt::format("a message has at most {} bytes", kMaxRpcBytes)});
  simdjson::dom::parser parser(kMaxRpcBytes);
  // Allocates memory for a text of this size and for the permitted nesting.
  if (parser.allocate(std::max<std::size_t>(text.size(), 64), kMaxDepth) != simdjson::SUCCESS)
    return std::unexpected(RpcFault{RpcCode::internal_error, "no memory for the message"});
  element root;
  if (const auto failure = parser.parse(text.data(), text.size(), true).get(root);
      failure != simdjson::SUCCESS)
    return std::unexpected(RpcFault{RpcCode::parse_error,
                                    fmt::format("this is not JSON: {}", simdjson::error_message(failure))});
  RpcInput input;
  simdjson::dom::array list;
  if (root.get(list) != simdjson::SUCCESS) {
    input.messages.push_back(message_of(root));
    return input;
  }
  input.is_batch = true;
  if (list.size() == 0 || list.size() > kMaxBatch)
    return std::unexpected(invalid(fmt::format("a batch has 1 to {} messages", kMaxBatch)));
  for (const element& item : list) input.messages.push_back(message_of(item));
  return input;
}

std::string rpc_result(std::string_view id, std::string_view result) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{}}})", id, result);
}

std::string rpc_error(const RpcFault& fault) {
  return fmt::format(R"({{"jsonrpc":"2.0","id":{},"error":{{"code":{},"message":{}}}}})", fault.id,
                     static_cast<std::int32_t>(fault.code), format::json_string(fault.message));
}

const RpcValue* ToolArguments::find(std::string_view name) {
  read_.emplace(name);
  const auto found = values_.find(name);
  if (found == values_.end() || std::holds_alternative<std::nullptr_t>(found->second)) return nullptr;
  return &found->second;
}

void ToolArguments::add_fault(std::string message) {
  if (fault_.empty()) fault_ = std::move(message);
}

std::string ToolArguments::text(std::string_view name) {
  const RpcValue* value = find(name);
  if (value == nullptr) return {};
  if (const auto* text = std::get_if<std::string>(value)) return *text;
  add_fault(fmt::format("{} must be a string", name));
  return {};
}

std::string ToolArguments::required_text(std::string_view name) {
  std::string value = text(name);
  if (value.empty()) add_fault(fmt::format("{} is missing", name));
  return value;
}

std::uint64_t ToolArguments::number(std::string_view name, std::uint64_t fallback, std::uint64_t least,
                                    std::uint64_t most) {
  const RpcValue* value = find(name);
  if (value == nullptr) return fallback;
  const auto* whole = std::get_if<std::int64_t>(value);
  const auto* real = std::get_if<double>(value);
  double number = -1;
  if (whole != nullptr) number = static_cast<double>(*whole);
  if (real != nullptr) number = *real;
  // JavaScript clients only have doubles, which cannot represent every whole number beyond 2^53.
  const bool is_whole = (whole != nullptr || real != nullptr) && number >= 0 && number <= 0x1p53 &&
                        std::floor(number) == number;
  const auto result = is_whole ? static_cast<std::uint64_t>(number) : 0;
  if (is_whole && result >= least && result <= most) return result;
  add_fault(fmt::format("{} must be a whole number from {} to {}", name, least, most));
  return fallback;
}

bool ToolArguments::flag(std::string_view name) {
  const RpcValue* value = find(name);
  if (value == nullptr) return false;
  if (const auto* flag = std::get_if<bool>(value)) return *flag;
  add_fault(fmt::format("{} must be true or false", name));
  return false;
}

std::optional<std::string> ToolArguments::fault() {
  for (const auto& [name, value] : values_)
    if (!read_.contains(name)) add_fault(fmt::format("there is no argument {}", name.substr(0, 100)));
  if (fault_.empty()) return std::nullopt;
  return fault_;
}

}  // namespace sheaf::mcp
