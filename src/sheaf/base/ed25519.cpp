#include "sheaf/base/ed25519.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>
#include <cstdlib>

namespace sheaf::base {
namespace {

// These calls fail only if there is no memory or if the crypto library lacks Ed25519. Callers could not
// handle either.
void check_crypto(bool success) {
  if (!success) std::abort();
}

struct DigestContext {
  EVP_MD_CTX* context = EVP_MD_CTX_new();

  DigestContext() { check_crypto(context != nullptr); }
  ~DigestContext() { EVP_MD_CTX_free(context); }
  DigestContext(const DigestContext&) = delete;
  DigestContext& operator=(const DigestContext&) = delete;
};

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// The points of small order: their y coordinates in little endian without the sign bit, including the
// encodings that are not reduced modulo p. Signatures by such keys do not depend on the message.
constexpr std::array<Ed25519PublicKey, 7> kWeakKeys = {{
    {0x00},
    {0x01},
    {0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
     0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05},
    {0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
     0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a},
    {0xec, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
    {0xed, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
    {0xee, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
     0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
}};

}  // namespace

void fill_random(std::span<std::uint8_t> out) {
  check_crypto(RAND_bytes(out.data(), static_cast<int>(out.size())) == 1);
}

void wipe(std::span<std::uint8_t> secret) noexcept { OPENSSL_cleanse(secret.data(), secret.size()); }

struct Ed25519Signer::Key {
  EVP_PKEY* key = nullptr;

  explicit Key(EVP_PKEY* made) : key(made) { check_crypto(key != nullptr); }
  ~Key() { EVP_PKEY_free(key); }
  Key(const Key&) = delete;
  Key& operator=(const Key&) = delete;
};

Ed25519Signer::Ed25519Signer(const Ed25519Seed& seed)
    : key_(std::make_unique<Key>(
          EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed.data(), seed.size()))) {}
Ed25519Signer::~Ed25519Signer() = default;
Ed25519Signer::Ed25519Signer(Ed25519Signer&&) noexcept = default;
Ed25519Signer& Ed25519Signer::operator=(Ed25519Signer&&) noexcept = default;

Ed25519PublicKey Ed25519Signer::public_key() const {
  Ed25519PublicKey key{};
  std::size_t size = key.size();
  check_crypto(EVP_PKEY_get_raw_public_key(key_->key, key.data(), &size) == 1);
  return key;
}

Ed25519Signature Ed25519Signer::sign(std::string_view message) const {
  const DigestContext digest;
  check_crypto(EVP_DigestSignInit(digest.context, nullptr, nullptr, nullptr, key_->key) == 1);
  Ed25519Signature signature{};
  std::size_t size = signature.size();
  check_crypto(EVP_DigestSign(digest.context, signature.data(), &size, bytes_of(message), message.size()) ==
               1);
  return signature;
}

struct Ed25519Verifier::Key {
  EVP_PKEY* key = nullptr;

  explicit Key(EVP_PKEY* made) : key(made) { check_crypto(key != nullptr); }
  ~Key() { EVP_PKEY_free(key); }
  Key(const Key&) = delete;
  Key& operator=(const Key&) = delete;
};

Ed25519Verifier::Ed25519Verifier(const Ed25519PublicKey& key)
    : key_(std::make_unique<Key>(
          EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, key.data(), key.size()))) {}
Ed25519Verifier::~Ed25519Verifier() = default;
Ed25519Verifier::Ed25519Verifier(Ed25519Verifier&&) noexcept = default;
Ed25519Verifier& Ed25519Verifier::operator=(Ed25519Verifier&&) noexcept = default;

bool Ed25519Verifier::verify(std::string_view message, const Ed25519Signature& signature) const {
  const DigestContext digest;
  check_crypto(EVP_DigestVerifyInit(digest.context, nullptr, nullptr, nullptr, key_->key) == 1);
  return EVP_DigestVerify(digest.context, signature.data(), signature.size(), bytes_of(message),
                          message.size()) == 1;
}

bool is_weak_key(const Ed25519PublicKey& key) {
  Ed25519PublicKey unsigned_key = key;
  unsigned_key.back() &= 0x7F;
  return std::ranges::find(kWeakKeys, unsigned_key) != kWeakKeys.end();
}

}  // namespace sheaf::base
