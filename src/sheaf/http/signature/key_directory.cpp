#include "sheaf/http/signature/key_directory.h"

#include "sheaf/base/base64.h"
#include "sheaf/http/signature/web_bot_auth.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <cstring>

namespace sheaf::http::signature {
namespace {

using base::Errc;
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

}  // namespace sheaf::http::signature
