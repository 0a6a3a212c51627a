#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/crypto/crypto.h"
#include "sheaf/http/message/message.h"
#include "sheaf/http/signature/message_signature.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Web Bot Auth: a crawler signs its requests and states where its public keys are (Signature-Agent). See the
// drafts of the IETF working group webbotauth, architecture and directory.
namespace sheaf::http::signature {

inline constexpr std::string_view kBotTag = "web-bot-auth";
inline constexpr std::string_view kDirectoryTag = "http-message-signatures-directory";
inline constexpr std::string_view kDirectoryPath = "/.well-known/http-message-signatures-directory";
inline constexpr std::string_view kDirectoryType = "application/http-message-signatures-directory+json";

/// The id of a key: the SHA-256 thumbprint of its JSON Web Key (RFC 7638, RFC 8037) in base64url.
std::string key_id(const crypto::Ed25519PublicKey& key);

/// How long a signature of ours is valid. A recorded request is useless afterwards.
inline constexpr std::int64_t kBotValidity = 60;

/// The three fields that sign a request to `authority` (host and port, as in Host). `agent` is the URL whose
/// origin has the key directory. `now` is in seconds since 1970.
std::vector<message::Header> sign_request(const crypto::Ed25519Signer& signer, std::string_view agent,
                                          std::string_view authority, std::int64_t now);

/// The fields that sign a key directory for `authority`: they prove that its server has the key.
std::vector<message::Header> sign_directory(const crypto::Ed25519Signer& signer, std::string_view authority,
                                            std::int64_t now);

/// A signature that claims to be from a bot. Nothing in it has been verified.
struct BotSignature {
  std::string agent;  ///< a URL; empty if the request names none
  std::string key_id;
  std::string nonce;  ///< empty if there is none
  std::int64_t created = 0;
  std::int64_t expires = 0;
  /// It covers only the host and the agent, so it is valid for every request to that host.
  bool covers_host_only = false;
  std::string base;  ///< the text that was signed
  crypto::Ed25519Signature signature{};
};

/// Limits for the times of a signature.
struct BotRules {
  std::int64_t clock_skew = 60;  ///< seconds that a clock may be off
  std::int64_t longest_validity = 86'400;
};

/// Finds the signature with the tag web-bot-auth. Nullopt if the request has none. Fails with
/// Errc::invalid_data if the signature is malformed, covers too little, has expired, is from the future or is
/// valid for too long. These checks need no cryptography, so they are cheap.
base::Result<std::optional<BotSignature>> read_bot_signature(const RequestParts& request, std::int64_t now,
                                                             const BotRules& rules = {});

// The public keys of a crawler: a JSON Web Key Set at kDirectoryPath of its agent's origin.

struct DirectoryKey {
  std::string id;  ///< the thumbprint of the key
  crypto::Ed25519PublicKey key{};
  std::optional<std::int64_t> not_before = {};  ///< seconds since 1970
  std::optional<std::int64_t> expires = {};

  friend bool operator==(const DirectoryKey&, const DirectoryKey&) = default;
};

inline constexpr std::size_t kDirectoryBytes = std::size_t{64} * 1024;
inline constexpr std::size_t kMaxDirectoryKeys = 32;

/// Reads the Ed25519 keys of a directory; keys of other kinds are skipped. Fails with Errc::invalid_data if
/// the text is not JSON, has no `keys` or too many, or has a key that is damaged or weak.
base::Result<std::vector<DirectoryKey>> parse_directory(std::string_view json);

/// The directory as JSON.
std::string directory_text(const std::vector<DirectoryKey>& keys);

/// A private JSON Web Key, as `sheaf identity create` writes it.
std::string private_key_text(const crypto::Ed25519Seed& seed);
base::Result<crypto::Ed25519Seed> parse_private_key(std::string_view json);

// The identity of a crawler is a folder with three files: `key.jwk`, its secret key; `agent`, the URL of its
// operator; and `directory.json`, which the origin of that URL has to serve at kDirectoryPath.

class BotIdentityFiles {
 public:
  /// Generates a key and writes the folder, which may exist but must not have an identity. The key expires
  /// after `valid_days` days; 0: never.
  static base::Result<BotIdentityFiles> create(const std::filesystem::path& folder, const base::Url& agent,
                                               std::int64_t now, unsigned valid_days);
  /// Fails with Errc::refused if other users can read the key or it has expired, and with Errc::invalid_data
  /// if a file is damaged.
  static base::Result<BotIdentityFiles> load(const std::filesystem::path& folder, std::int64_t now);

  [[nodiscard]] const crypto::Ed25519Signer& signer() const { return signer_; }
  [[nodiscard]] const std::string& agent() const { return agent_; }
  [[nodiscard]] const std::string& key_id() const { return key_id_; }
  [[nodiscard]] const std::string& directory() const { return directory_; }

 private:
  BotIdentityFiles(crypto::Ed25519Signer signer, std::string agent, std::string directory);

  crypto::Ed25519Signer signer_;
  std::string agent_;
  std::string key_id_;
  std::string directory_;
};

}  // namespace sheaf::http::signature
