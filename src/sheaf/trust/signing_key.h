#pragma once

#include "sheaf/base/error.h"
#include "sheaf/crypto/crypto.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

// Keys in the formats of minisign (https://jedisct1.github.io/minisign/), so that users of minisign need no
// other tool.
namespace sheaf::trust {

using KeyNumber = std::array<std::uint8_t, 8>;

/// The number of a key as minisign shows it: 16 upper-case hexadecimal digits.
std::string to_string(const KeyNumber& number);

/// A public key. Its text is 56 characters of Base64, "RW..." .
struct PublicKey {
  KeyNumber number{};
  crypto::Ed25519PublicKey key{};

  friend bool operator==(const PublicKey&, const PublicKey&) = default;
};

std::string to_string(const PublicKey& key);
/// Parses the text of a key, or of a file FILE.pub of minisign, which has the key in its second line. Fails
/// with Errc::invalid_data.
base::Result<PublicKey> parse_public_key(std::string_view text);
/// The bytes of a file FILE.pub.
std::string public_key_file(const PublicKey& key);

/// A secret key. The destructor wipes it from memory.
class SecretKey {
 public:
  static SecretKey generate();
  ~SecretKey() { crypto::wipe(seed_); }
  SecretKey(const SecretKey&) = default;
  SecretKey& operator=(const SecretKey&) = default;

  [[nodiscard]] const PublicKey& public_key() const { return public_; }
  [[nodiscard]] const crypto::Ed25519Seed& seed() const { return seed_; }

  friend bool operator==(const SecretKey&, const SecretKey&) = default;

 private:
  friend base::Result<SecretKey> parse_secret_key(std::string_view text, std::string_view passphrase);
  SecretKey(const KeyNumber& number, const crypto::Ed25519Seed& seed);

  crypto::Ed25519Seed seed_;
  PublicKey public_;
};

/// Whether a secret key file is protected by a passphrase. Fails with Errc::invalid_data if it is not a key.
base::Result<bool> needs_passphrase(std::string_view text);
/// Parses a secret key file. Fails with Errc::invalid_data if it is not one or is damaged, and with
/// Errc::refused if the passphrase is wrong. A key with a passphrase takes some seconds and a gigabyte of
/// memory.
base::Result<SecretKey> parse_secret_key(std::string_view text, std::string_view passphrase);
/// The text of a secret key file. If the passphrase is empty, anybody who can read the file can sign.
base::Result<std::string> secret_key_file(const SecretKey& key, std::string_view passphrase);

}  // namespace sheaf::trust
