#include "sheaf/base/sha256.h"

#include <openssl/evp.h>

#include <cstdlib>

namespace sheaf::base {

/// The algorithm is fetched once per object, because EVP_sha256() would look it up for every message.
struct Sha256::Context {
  EVP_MD* algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  EVP_MD_CTX* state = EVP_MD_CTX_new();

  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() {
    EVP_MD_CTX_free(state);
    EVP_MD_free(algorithm);
  }
  // These calls fail only if there is no memory or if the crypto library lacks SHA-256. Callers could not
  // handle either.
  static void check(int success) {
    if (success != 1) std::abort();
  }
  void start() { check(EVP_DigestInit_ex(state, algorithm, nullptr)); }
};

Sha256::Sha256() : context_(std::make_unique<Context>()) { context_->start(); }
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::string_view bytes) {
  Context::check(EVP_DigestUpdate(context_->state, bytes.data(), bytes.size()));
}

Digest Sha256::finish() {
  Digest digest{};
  unsigned size = 0;
  Context::check(EVP_DigestFinal_ex(context_->state, digest.data(), &size));
  context_->start();
  return digest;
}

Digest sha256(std::string_view bytes) {
  Sha256 sha;
  sha.update(bytes);
  return sha.finish();
}

}  // namespace sheaf::base
