#pragma once

#include "sheaf/base/byte_source.h"
#include "sheaf/base/error.h"
#include "sheaf/crypto/crypto.h"
#include "sheaf/trust/signing_key.h"

#include <string>
#include <string_view>

// Detached signatures in minisign's format with prehashing: FILE.minisig next to FILE. A signature has a
// trusted comment that the key signs together with the signature of the file, so neither can be replaced
// without the other.
namespace sheaf::trust {

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
