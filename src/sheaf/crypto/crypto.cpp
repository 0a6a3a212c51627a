#include "sheaf/crypto/crypto.h"

#include <sodium.h>

#include <cassert>
#include <cstdlib>

namespace sheaf::crypto {
namespace {

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace

void init_sodium() {
  // Fails only if the system has no random numbers.
  static const bool ready = sodium_init() >= 0;
  if (!ready) std::abort();
}

void fill_random(std::span<std::uint8_t> out) {
  init_sodium();
  randombytes_buf(out.data(), out.size());
}

void wipe(std::span<std::uint8_t> secret) noexcept { sodium_memzero(secret.data(), secret.size()); }
void wipe(std::string& secret) noexcept { sodium_memzero(secret.data(), secret.size()); }

std::string blake2b(std::string_view bytes, std::size_t digest_bytes) {
  assert(digest_bytes >= crypto_generichash_BYTES_MIN && digest_bytes <= crypto_generichash_BYTES_MAX);
  init_sodium();
  std::string digest(digest_bytes, '\0');
  crypto_generichash(reinterpret_cast<unsigned char*>(digest.data()), digest.size(), bytes_of(bytes),
                     bytes.size(), nullptr, 0);
  return digest;
}

Ed25519Signer::Ed25519Signer(const Ed25519Seed& seed) {
  init_sodium();
  crypto_sign_seed_keypair(public_.data(), key_.data(), seed.data());
}

Ed25519Signature Ed25519Signer::sign(std::string_view message) const {
  Ed25519Signature signature{};
  crypto_sign_detached(signature.data(), nullptr, bytes_of(message), message.size(), key_.data());
  return signature;
}

bool verify_ed25519(const Ed25519PublicKey& key, std::string_view message,
                    const Ed25519Signature& signature) {
  init_sodium();
  return crypto_sign_verify_detached(signature.data(), bytes_of(message), message.size(), key.data()) == 0;
}

bool is_valid_key(const Ed25519PublicKey& key) {
  init_sodium();
  return crypto_core_ed25519_is_valid_point(key.data()) == 1;
}

}  // namespace sheaf::crypto
