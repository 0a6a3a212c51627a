#include "sheaf/mcp/tool_arguments.h"

#include <fmt/format.h>

#include <cmath>

namespace sheaf::mcp {

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
