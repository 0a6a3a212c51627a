#pragma once

#include "sheaf/base/error.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

// Ed25519 signatures (RFC 8032), computed by OpenSSL.
namespace sheaf::base {

using Ed25519Seed = std::array<std::uint8_t, 32>;       ///< the secret key
using Ed25519PublicKey = std::array<std::uint8_t, 32>;  ///< the public key
using Ed25519Signature = std::array<std::uint8_t, 64>;

/// Fills `out` with random bytes for keys, salts and nonces.
void fill_random(std::span<std::uint8_t> out);

/// Overwrites a secret. The compiler cannot optimise this away.
void wipe(std::span<std::uint8_t> secret) noexcept;

class Ed25519Signer {
 public:
  explicit Ed25519Signer(const Ed25519Seed& seed);
  ~Ed25519Signer();
  Ed25519Signer(Ed25519Signer&&) noexcept;
  Ed25519Signer& operator=(Ed25519Signer&&) noexcept;

  [[nodiscard]] Ed25519PublicKey public_key() const;
  [[nodiscard]] Ed25519Signature sign(std::string_view message) const;

 private:
  struct Key;
  std::unique_ptr<Key> key_;
};

/// A public key, ready to verify any number of signatures. Thread-safe.
class Ed25519Verifier {
 public:
  explicit Ed25519Verifier(const Ed25519PublicKey& key);
  ~Ed25519Verifier();
  Ed25519Verifier(Ed25519Verifier&&) noexcept;
  Ed25519Verifier& operator=(Ed25519Verifier&&) noexcept;

  /// Also returns false if the key is not a point of the curve.
  [[nodiscard]] bool verify(std::string_view message, const Ed25519Signature& signature) const;

 private:
  struct Key;
  std::unique_ptr<Key> key_;
};

/// Whether the key is a point of small order. Signatures by such keys prove nothing: anybody can make a
/// signature that verifies for many messages.
bool is_weak_key(const Ed25519PublicKey& key);

}  // namespace sheaf::base
