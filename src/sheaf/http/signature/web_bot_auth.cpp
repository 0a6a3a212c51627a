#include "sheaf/http/signature/web_bot_auth.h"

#include "sheaf/base/file.h"
#include "sheaf/base/hash.h"
#include "sheaf/base/hex.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

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

namespace {

using simdjson::dom::element;

constexpr std::size_t kJsonDepth = 16;

std::unexpected<base::Error> bad_directory(std::string_view why) {
  return base::fail(Errc::invalid_data, fmt::format("this is not a key directory: {}", why));
}

std::string url_text(const crypto::Ed25519PublicKey& bytes) {
  return base::to_base64({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, base::Base64::url);
}

/// A member of 32 bytes, in Base64 for URLs.
std::optional<std::array<std::uint8_t, 32>> bytes_member(element object, std::string_view name) {
  std::string_view text;
  if (object[name].get(text) != simdjson::SUCCESS) return std::nullopt;
  const auto bytes = base::from_base64(text, base::Base64::url);
  std::array<std::uint8_t, 32> value{};
  if (!bytes || bytes->size() != value.size()) return std::nullopt;
  std::memcpy(value.data(), bytes->data(), value.size());
  return value;
}

bool is_ed25519(element key) {
  std::string_view kind;
  std::string_view curve;
  return key["kty"].get(kind) == simdjson::SUCCESS && kind == "OKP" &&
         key["crv"].get(curve) == simdjson::SUCCESS && curve == "Ed25519";
}

std::optional<std::int64_t> time_member(element key, std::string_view name) {
  std::int64_t value = 0;
  return key[name].get(value) == simdjson::SUCCESS ? std::optional(value) : std::nullopt;
}

base::Result<DirectoryKey> read_directory_key(element json) {
  DirectoryKey key;
  const auto bytes = bytes_member(json, "x");
  if (!bytes) return bad_directory("the x of a key is not 32 bytes of Base64");
  key.key = *bytes;
  if (!crypto::is_valid_key(key.key)) return bad_directory("a key is not a valid point of the curve");
  key.id = key_id(key.key);
  key.not_before = time_member(json, "nbf");
  key.expires = time_member(json, "exp");
  return key;
}

/// The parser owns the document.
base::Result<element> parse_json(simdjson::dom::parser& parser, std::string_view json) {
  if (parser.allocate(json.size() + 1, kJsonDepth) != simdjson::SUCCESS)
    return bad_directory("out of memory");
  element root;
  const auto error = parser.parse(simdjson::padded_string(json)).get(root);
  if (error != simdjson::SUCCESS) return bad_directory(simdjson::error_message(error));
  return root;
}

}  // namespace

base::Result<std::vector<DirectoryKey>> parse_directory(std::string_view json) {
  if (json.size() > kDirectoryBytes) return bad_directory("it is too large");
  simdjson::dom::parser parser;
  SHEAF_TRY_ASSIGN(const element root, parse_json(parser, json));
  simdjson::dom::array array;
  if (root["keys"].get(array) != simdjson::SUCCESS) return bad_directory("it has no list `keys`");
  if (array.size() > kMaxDirectoryKeys)
    return bad_directory(fmt::format("it has more than {} keys", kMaxDirectoryKeys));
  std::vector<DirectoryKey> keys;
  for (const element each : array) {
    if (!is_ed25519(each)) continue;
    SHEAF_TRY_ASSIGN(keys.emplace_back(), read_directory_key(each));
  }
  return keys;
}

std::string directory_text(const std::vector<DirectoryKey>& keys) {
  std::string text = "{\"keys\":[";
  for (const DirectoryKey& key : keys) {
    if (text.ends_with('}')) text += ',';
    text += fmt::format(R"({{"kty":"OKP","crv":"Ed25519","kid":"{}","x":"{}","use":"sig")", key.id,
                        url_text(key.key));
    if (key.not_before) text += fmt::format(",\"nbf\":{}", *key.not_before);
    if (key.expires) text += fmt::format(",\"exp\":{}", *key.expires);
    text += '}';
  }
  return text + "]}\n";
}

std::string private_key_text(const crypto::Ed25519Seed& seed) {
  return fmt::format("{{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"d\":\"{}\",\"x\":\"{}\"}}\n", url_text(seed),
                     url_text(crypto::Ed25519Signer(seed).public_key()));
}

base::Result<crypto::Ed25519Seed> parse_private_key(std::string_view json) {
  simdjson::dom::parser parser;
  const auto root = parse_json(parser, json.substr(0, kDirectoryBytes));
  if (!root || !is_ed25519(*root))
    return base::fail(Errc::invalid_data, "this is not a private Ed25519 key as a JSON Web Key");
  const auto seed = bytes_member(*root, "d");
  const auto key = bytes_member(*root, "x");
  if (!seed || !key || crypto::Ed25519Signer(*seed).public_key() != *key)
    return base::fail(Errc::invalid_data, "the private key is damaged: d and x do not belong together");
  return *seed;
}

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKeyName = "key.jwk";
constexpr std::string_view kAgentName = "agent";
constexpr std::string_view kDirectoryName = "directory.json";

base::Result<std::string> read_identity_file(const fs::path& file) {
  return base::read_regular_file(file.string(), kDirectoryBytes);
}

base::Result<void> write_public(const fs::path& file, std::string_view text) {
  SHEAF_TRY_ASSIGN(auto out, base::AtomicFile::create(file));
  SHEAF_TRY(out.write(text));
  return out.commit();
}

/// Checks that the directory has the key, or nobody could verify it, and that the key has not expired.
base::Result<void> check_directory(const std::string& text, const std::string& id, std::int64_t now,
                                   const fs::path& file) {
  const auto keys = parse_directory(text);
  if (!keys)
    return base::fail(Errc::invalid_data, fmt::format("{}: {}", file.string(), keys.error().message));
  const auto own = std::ranges::find(*keys, id, &DirectoryKey::id);
  if (own == keys->end())
    return base::fail(Errc::invalid_data,
                      fmt::format("{} does not have the key of this identity", file.string()));
  if (own->expires && *own->expires <= now)
    return base::fail(Errc::refused, fmt::format("the key of the identity in {} has expired; make a new one",
                                                 file.parent_path().string()));
  return {};
}

}  // namespace

BotIdentityFiles::BotIdentityFiles(crypto::Ed25519Signer signer, std::string agent, std::string directory)
    : signer_(std::move(signer)),
      agent_(std::move(agent)),
      key_id_(signature::key_id(signer_.public_key())),
      directory_(std::move(directory)) {}

base::Result<BotIdentityFiles> BotIdentityFiles::create(const fs::path& folder, const base::Url& agent,
                                                        std::int64_t now, unsigned valid_days) {
  constexpr std::int64_t kSecondsOfDay = 86'400;
  SHEAF_TRY(base::make_folder(folder));
  crypto::Ed25519Seed seed{};
  crypto::fill_random(seed);
  crypto::Ed25519Signer signer(seed);
  DirectoryKey key{
      .id = signature::key_id(signer.public_key()), .key = signer.public_key(), .not_before = now};
  if (valid_days > 0) key.expires = now + valid_days * kSecondsOfDay;
  SHEAF_TRY(base::write_secret_file(folder / kKeyName, private_key_text(seed)));
  crypto::wipe(seed);
  const std::string directory = directory_text({key});
  SHEAF_TRY(write_public(folder / kDirectoryName, directory));
  SHEAF_TRY(write_public(folder / kAgentName, agent.origin() + "\n"));
  return BotIdentityFiles(std::move(signer), agent.origin(), directory);
}

base::Result<BotIdentityFiles> BotIdentityFiles::load(const fs::path& folder, std::int64_t now) {
  const fs::path key_file = folder / kKeyName;
  SHEAF_TRY(base::check_secret_file(key_file));
  SHEAF_TRY_ASSIGN(const std::string key_text, read_identity_file(key_file));
  const auto seed = parse_private_key(key_text);
  if (!seed)
    return base::fail(Errc::invalid_data, fmt::format("{}: {}", key_file.string(), seed.error().message));
  SHEAF_TRY_ASSIGN(std::string agent, read_identity_file(folder / kAgentName));
  while (agent.ends_with('\n')) agent.pop_back();
  const auto url = base::Url::parse(agent);
  if (!url)
    return base::fail(Errc::invalid_data, fmt::format("{} is not a URL, as https://crawler.example",
                                                      (folder / kAgentName).string()));
  SHEAF_TRY_ASSIGN(std::string directory, read_identity_file(folder / kDirectoryName));
  crypto::Ed25519Signer signer(*seed);
  SHEAF_TRY(check_directory(directory, signature::key_id(signer.public_key()), now, folder / kDirectoryName));
  return BotIdentityFiles(std::move(signer), url->origin(), std::move(directory));
}

}  // namespace sheaf::http::signature
