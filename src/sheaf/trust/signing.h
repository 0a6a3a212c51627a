#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/error.h"
#include "sheaf/crypto/crypto.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::trust {

// The parts that minisign's files have in common: lines, comments and Base64.

inline constexpr std::string_view kUntrustedComment = "untrusted comment: ";
inline constexpr std::string_view kTrustedComment = "trusted comment: ";

/// The lines of a file, which end in LF or CR LF; the last may lack that. Nullopt if there are more than
/// `most` lines, or if a line is longer than a comment of minisign may be.
std::optional<std::vector<std::string_view>> split_lines(std::string_view text, std::size_t most);

/// Decodes Base64; nullopt unless the result has exactly `size` bytes.
std::optional<std::string> decode_exactly(std::string_view text, std::size_t size);

/// Whether the text has no control characters, so that it can be one line of a file.
bool is_printable_line(std::string_view text);

// Keys in the formats of minisign (https://jedisct1.github.io/minisign/), so that users of minisign need no
// other tool.

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

// Detached signatures in minisign's format with prehashing: FILE.minisig next to FILE. A signature has a
// trusted comment that the key signs together with the signature of the file, so neither can be replaced
// without the other.

/// The ending of a signature's file name.
inline constexpr std::string_view kSignatureEnding = ".minisig";
/// Largest signature file that is read.
inline constexpr std::uint64_t kSignatureBytes = 16ULL * 1024;

struct FileSignature {
  KeyNumber number{};
  crypto::Ed25519Signature of_file{};     ///< signature of the file's BLAKE2b-512 digest
  std::string trusted_comment;            ///< without its label
  crypto::Ed25519Signature of_comment{};  ///< signature of `of_file` followed by the comment

  friend bool operator==(const FileSignature&, const FileSignature&) = default;
};

/// The bytes of a file FILE.minisig.
std::string to_string(const FileSignature& signature);
/// Fails with Errc::invalid_data and says what is wrong. Signatures without prehashing ("Ed") are not
/// accepted.
base::Result<FileSignature> parse_signature(std::string_view text);

/// The digest that is signed: BLAKE2b-512 of the whole file.
base::Result<std::string> digest_of(base::ByteSource& file);

/// `trusted_comment` must be one printable line.
FileSignature sign_digest(const SecretKey& key, std::string_view digest, std::string_view trusted_comment);

/// Checks that the key signed the comment together with the signature of the file. Does not need the file,
/// and is enough to trust the comment. Fails with Errc::refused.
base::Result<void> verify_comment(const FileSignature& signature, const PublicKey& key);
/// Checks the rest: that the key signed the file with this digest. Fails with Errc::refused.
base::Result<void> verify_digest(const FileSignature& signature, std::string_view digest,
                                 const PublicKey& key);

}  // namespace sheaf::trust
