#pragma once

#include "sheaf/base/error.h"
#include "sheaf/base/url.h"
#include "sheaf/crypto/crypto.h"
#include "sheaf/http/signature/key_directory.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

// The identity of a crawler is a folder with three files: `key.jwk`, its secret key; `agent`, the URL of its
// operator; and `directory.json`, which the origin of that URL has to serve at kDirectoryPath.
namespace sheaf::http::signature {

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
