#pragma once

#include "sheaf/base/error.h"
#include "sheaf/crypto/crypto.h"
#include "sheaf/http/message/message.h"
#include "sheaf/http/signature/message_signature.h"

#include <chrono>
#include <cstdint>
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

}  // namespace sheaf::http::signature
