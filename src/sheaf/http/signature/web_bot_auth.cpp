#include "sheaf/http/signature/web_bot_auth.h"

#include "sheaf/base/base64.h"
#include "sheaf/base/sha256.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace sheaf::http::signature {
namespace {

using base::Errc;

constexpr std::string_view kAgentField = "signature-agent";
constexpr std::size_t kNonceBytes = 64;  // as the draft recommends
constexpr std::size_t kMaxNonce = 256;
constexpr std::size_t kMaxAgent = 512;

template <std::size_t Size>
std::string_view view_of(const std::array<std::uint8_t, Size>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), Size};
}

std::unexpected<base::Error> bad_signature(std::string_view why) {
  return base::fail(Errc::invalid_data, fmt::format("the Web Bot Auth signature is not valid: {}", why));
}

Parameters make_parameters(const crypto::Ed25519Signer& signer, std::string_view tag, std::int64_t now) {
  std::array<std::uint8_t, kNonceBytes> nonce{};
  crypto::fill_random(nonce);
  return {{"created", now},
          {"expires", now + kBotValidity},
          {"keyid", key_id(signer.public_key())},
          {"alg", std::string("ed25519")},
          {"nonce", base::to_base64(view_of(nonce))},
          {"tag", std::string(tag)}};
}

std::vector<message::Header> signature_fields(const crypto::Ed25519Signer& signer, const InnerList& input,
                                              std::string_view base) {
  return {{"Signature-Input", fmt::format("sig1={}", serialise(input))},
          {"Signature", fmt::format("sig1=:{}:", base::to_base64(view_of(signer.sign(base))))}};
}

std::optional<std::string> text_parameter(const InnerList& input, std::string_view name) {
  const BareItem* value = find_parameter(input.parameters, name);
  const auto* text = value != nullptr ? std::get_if<std::string>(value) : nullptr;
  return text != nullptr ? std::optional(*text) : std::nullopt;
}

std::optional<std::int64_t> time_parameter(const InnerList& input, std::string_view name) {
  const BareItem* value = find_parameter(input.parameters, name);
  const auto* number = value != nullptr ? std::get_if<std::int64_t>(value) : nullptr;
  return number != nullptr ? std::optional(*number) : std::nullopt;
}

/// Whether the signature covers the field or derived component.
bool covers(const InnerList& input, std::string_view name) {
  return std::ranges::any_of(input.items,
                             [&](const Item& item) { return item.value == BareItem(std::string(name)); });
}

bool covers_host_only(const InnerList& input) {
  return std::ranges::all_of(input.items, [](const Item& item) {
    return item.value == BareItem(std::string("@authority")) ||
           item.value == BareItem(std::string(kAgentField));
  });
}

/// Reads the agent from Signature-Agent: a string, or in newer drafts the member of a dictionary that the
/// signature covers.
std::optional<std::string> read_agent(const InnerList& input, const std::string& field) {
  const auto text_of = [](const Item& item) -> std::optional<std::string> {
    const auto* text = std::get_if<std::string>(&item.value);
    if (text == nullptr || text->size() > kMaxAgent) return std::nullopt;
    return *text;
  };
  if (const auto item = parse_item(field)) return text_of(*item);
  const auto dictionary = parse_dictionary(field);
  if (!dictionary) return std::nullopt;
  for (const Item& component : input.items) {
    if (component.value != BareItem(std::string(kAgentField))) continue;
    const BareItem* key = find_parameter(component.parameters, "key");
    const auto* name = key != nullptr ? std::get_if<std::string>(key) : nullptr;
    if (name == nullptr) continue;
    const auto member = std::ranges::find(*dictionary, *name, &FieldMember::key);
    if (member == dictionary->end()) return std::nullopt;
    const auto* item = std::get_if<Item>(&member->value);
    return item != nullptr ? text_of(*item) : std::nullopt;
  }
  return std::nullopt;
}

base::Result<void> check_times(const BotSignature& signature, std::int64_t now, const BotRules& rules) {
  if (signature.expires <= signature.created) return bad_signature("it expires before it was created");
  if (signature.expires - signature.created > rules.longest_validity)
    return bad_signature(fmt::format("it is valid for more than {} seconds", rules.longest_validity));
  if (signature.created > now + rules.clock_skew) return bad_signature("it was created in the future");
  if (signature.expires < now - rules.clock_skew) return bad_signature("it has expired");
  return {};
}

base::Result<BotSignature> read_parameters(const LabelledSignature& found, const RequestParts& request) {
  BotSignature signature;
  const auto created = time_parameter(found.input, "created");
  const auto expires = time_parameter(found.input, "expires");
  if (!created || !expires) return bad_signature("created and expires are required");
  signature.created = *created;
  signature.expires = *expires;
  auto id = text_parameter(found.input, "keyid");
  if (!id || id->empty()) return bad_signature("keyid is required");
  signature.key_id = std::move(*id);
  signature.nonce = text_parameter(found.input, "nonce").value_or("");
  if (signature.nonce.size() > kMaxNonce) return bad_signature("its nonce is too long");
  const auto algorithm = text_parameter(found.input, "alg");
  if (algorithm && *algorithm != "ed25519") return bad_signature("its algorithm is not ed25519");
  if (!covers(found.input, "@authority") && !covers(found.input, "@target-uri"))
    return bad_signature("it does not cover @authority");
  if (const auto field = request.field(kAgentField)) {
    if (!covers(found.input, kAgentField)) return bad_signature("it does not cover signature-agent");
    auto agent = read_agent(found.input, *field);
    if (!agent) return bad_signature("Signature-Agent is not a URL in quotes");
    signature.agent = std::move(*agent);
  }
  if (found.bytes.size() != signature.signature.size()) return bad_signature("it is not 64 bytes long");
  std::memcpy(signature.signature.data(), found.bytes.data(), found.bytes.size());
  return signature;
}

}  // namespace

std::string key_id(const crypto::Ed25519PublicKey& key) {
  const std::string text = fmt::format(R"({{"crv":"Ed25519","kty":"OKP","x":"{}"}})",
                                       base::to_base64(view_of(key), base::Base64::url));
  return base::to_base64(view_of(base::sha256(text)), base::Base64::url);
}

std::vector<message::Header> sign_request(const crypto::Ed25519Signer& signer, std::string_view agent,
                                          std::string_view authority, std::int64_t now) {
  const std::string agent_value = serialise(BareItem(std::string(agent)));
  InnerList input;
  input.items = {{std::string("@authority")}, {std::string(kAgentField)}};
  input.parameters = make_parameters(signer, kBotTag, now);
  const std::string text = fmt::format("\"@authority\": {}\n\"{}\": {}\n\"@signature-params\": {}", authority,
                                       kAgentField, agent_value, serialise(input));
  auto fields = signature_fields(signer, input, text);
  fields.push_back({"Signature-Agent", agent_value});
  return fields;
}

std::vector<message::Header> sign_directory(const crypto::Ed25519Signer& signer, std::string_view authority,
                                            std::int64_t now) {
  InnerList input;
  input.items = {{std::string("@authority"), {{"req", true}}}};
  input.parameters = make_parameters(signer, kDirectoryTag, now);
  const std::string text =
      fmt::format("\"@authority\";req: {}\n\"@signature-params\": {}", authority, serialise(input));
  return signature_fields(signer, input, text);
}

base::Result<std::optional<BotSignature>> read_bot_signature(const RequestParts& request, std::int64_t now,
                                                             const BotRules& rules) {
  const auto inputs = request.field("signature-input");
  const auto values = request.field("signature");
  if (!inputs || !values) return std::nullopt;
  const auto signatures = read_signatures(*inputs, *values);
  if (!signatures) return bad_signature("Signature-Input or Signature is malformed");
  const auto found = std::ranges::find_if(*signatures, [](const LabelledSignature& each) {
    return text_parameter(each.input, "tag") == kBotTag;
  });
  if (found == signatures->end()) return std::nullopt;
  SHEAF_TRY_ASSIGN(BotSignature signature, read_parameters(*found, request));
  SHEAF_TRY(check_times(signature, now, rules));
  auto text = signature_base(found->input, request);
  if (!text) return bad_signature("it covers something that the request does not have");
  signature.base = std::move(*text);
  signature.covers_host_only = covers_host_only(found->input);
  return signature;
}

}  // namespace sheaf::http::signature
