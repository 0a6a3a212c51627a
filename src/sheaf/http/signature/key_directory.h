#pragma once

#include "sheaf/base/error.h"
#include "sheaf/crypto/crypto.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The public keys of a crawler: a JSON Web Key Set at kDirectoryPath of its agent's origin.
namespace sheaf::http::signature {

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

}  // namespace sheaf::http::signature
