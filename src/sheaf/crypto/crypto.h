#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// Keys, signatures and hashes of minisign and of signed requests, computed by libsodium. SHA-256 is in
// base/hash.h.
namespace sheaf::crypto {

using Ed25519Seed = std::array<std::uint8_t, 32>;       ///< the secret key
using Ed25519PublicKey = std::array<std::uint8_t, 32>;  ///< the public key
using Ed25519Signature = std::array<std::uint8_t, 64>;

/// Initialises libsodium. The functions below do so themselves. May be called often and on any thread.
void init_sodium();

/// Fills `out` with random bytes for keys, salts and nonces.
void fill_random(std::span<std::uint8_t> out);

/// Overwrites a secret. The compiler cannot optimise this away.
void wipe(std::span<std::uint8_t> secret) noexcept;
void wipe(std::string& secret) noexcept;

/// BLAKE2b without a key (RFC 7693). `digest_bytes` is from 16 to 64 and is an input of the hash: a shorter
/// digest is not a prefix of a longer one.
std::string blake2b(std::string_view bytes, std::size_t digest_bytes);

/// Makes Ed25519 signatures (RFC 8032). The destructor wipes the key from memory.
class Ed25519Signer {
 public:
  explicit Ed25519Signer(const Ed25519Seed& seed);
  ~Ed25519Signer() { wipe(key_); }
  Ed25519Signer(const Ed25519Signer&) = default;
  Ed25519Signer& operator=(const Ed25519Signer&) = default;

  [[nodiscard]] const Ed25519PublicKey& public_key() const { return public_; }
  [[nodiscard]] Ed25519Signature sign(std::string_view message) const;

 private:
  std::array<std::uint8_t, 64> key_{};  ///< seed and public key
  Ed25519PublicKey public_{};
};

/// Whether `key` signed the message. False if it is not a valid key.
bool verify_ed25519(const Ed25519PublicKey& key, std::string_view message, const Ed25519Signature& signature);

/// Whether the key is a point of the curve's main subgroup, as all generated keys are. Among the others are
/// points of small order, for which anybody can make a signature that verifies for many messages.
bool is_valid_key(const Ed25519PublicKey& key);

}  // namespace sheaf::crypto
