#include "sheaf/http/signature/message_signature.h"

#include "sheaf/base/ascii.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sheaf::http::signature {
namespace {

std::optional<std::string> derived_component(std::string_view name, const RequestParts& request) {
  const std::string query = request.has_query ? fmt::format("?{}", request.query) : std::string();
  if (name == "@method") return std::string(request.method);
  if (name == "@scheme") return base::lower_text(request.scheme);
  if (name == "@authority") return normal_authority(request.authority, request.scheme);
  if (name == "@path") return std::string(request.path.empty() ? "/" : request.path);
  if (name == "@query") return query.empty() ? "?" : query;
  if (name == "@request-target") return fmt::format("{}{}", request.path, query);
  if (name == "@target-uri")
    return fmt::format("{}://{}{}{}", base::lower_text(request.scheme),
                       normal_authority(request.authority, request.scheme), request.path, query);
  return std::nullopt;
}

/// A member of a field that is a dictionary, selected by a component such as `"signature-agent";key="sig1"`.
std::optional<std::string> dictionary_member(std::string_view field, std::string_view key) {
  const auto dictionary = parse_dictionary(field);
  if (!dictionary) return std::nullopt;
  const auto member = std::ranges::find(*dictionary, key, &FieldMember::key);
  if (member == dictionary->end()) return std::nullopt;
  if (const auto* list = std::get_if<InnerList>(&member->value)) return serialise(*list);
  return serialise(std::get<Item>(member->value));
}

std::optional<std::string> component_value(const std::string& name, const Item& component,
                                           const RequestParts& request) {
  if (name.starts_with('@')) {
    return component.parameters.empty() ? derived_component(name, request) : std::nullopt;
  }
  if (name != base::lower_text(name) || !message::is_token(name)) return std::nullopt;
  auto value = request.field(name);
  if (!value || component.parameters.empty()) return value;
  // Other parameters (sf, bs, tr, req, name) are not needed for requests without a body.
  const BareItem* key = find_parameter(component.parameters, "key");
  const auto* text = key != nullptr ? std::get_if<std::string>(key) : nullptr;
  if (text == nullptr || component.parameters.size() != 1) return std::nullopt;
  return dictionary_member(*value, *text);
}

}  // namespace

std::string normal_authority(std::string_view authority, std::string_view scheme) {
  const std::string_view port = message::equal_ignoring_case(scheme, "https") ? ":443" : ":80";
  if (authority.ends_with(port)) authority.remove_suffix(port.size());
  return base::lower_text(authority);
}

std::optional<std::vector<LabelledSignature>> read_signatures(std::string_view signature_input,
                                                              std::string_view signature) {
  auto inputs = parse_dictionary(signature_input);
  const auto values = parse_dictionary(signature);
  if (!inputs || !values) return std::nullopt;
  std::vector<LabelledSignature> signatures;
  for (FieldMember& input : *inputs) {
    auto* list = std::get_if<InnerList>(&input.value);
    if (list == nullptr) return std::nullopt;
    const auto value = std::ranges::find(*values, input.key, &FieldMember::key);
    if (value == values->end()) continue;
    const auto* item = std::get_if<Item>(&value->value);
    const auto* bytes = item != nullptr ? std::get_if<ByteSequence>(&item->value) : nullptr;
    if (bytes == nullptr) return std::nullopt;
    signatures.push_back({std::move(input.key), std::move(*list), bytes->bytes});
  }
  return signatures;
}

std::optional<std::string> signature_base(const InnerList& input, const RequestParts& request) {
  std::string base;
  std::vector<std::string> seen;
  for (const Item& component : input.items) {
    const auto* name = std::get_if<std::string>(&component.value);
    if (name == nullptr) return std::nullopt;
    std::string identifier = serialise(component);
    if (std::ranges::find(seen, identifier) != seen.end()) return std::nullopt;
    const auto value = component_value(*name, component, request);
    if (!value || value->contains('\n')) return std::nullopt;
    base += fmt::format("{}: {}\n", identifier, *value);
    seen.push_back(std::move(identifier));
  }
  return base + fmt::format("\"@signature-params\": {}", serialise(input));
}

}  // namespace sheaf::http::signature
