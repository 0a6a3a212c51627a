#include "sheaf/base/hash.h"

#include <openssl/evp.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <random>

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

namespace {

struct SipState {
  std::uint64_t v0;
  std::uint64_t v1;
  std::uint64_t v2;
  std::uint64_t v3;

  void round() {
    v0 += v1;
    v1 = std::rotl(v1, 13) ^ v0;
    v0 = std::rotl(v0, 32);
    v2 += v3;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1;
    v1 = std::rotl(v1, 17) ^ v2;
    v2 = std::rotl(v2, 32);
  }

  void absorb(std::uint64_t word) {
    v3 ^= word;
    round();
    v0 ^= word;
  }
};

}  // namespace

HashKey HashKey::random() {
  std::random_device device;
  const auto word = [&] { return (std::uint64_t{device()} << 32) | device(); };
  return {word(), word()};
}

std::uint64_t keyed_hash(HashKey key, std::string_view text) noexcept {
  SipState state{key.first ^ 0x736f6d6570736575, key.second ^ 0x646f72616e646f6d,
                 key.first ^ 0x6c7967656e657261, key.second ^ 0x7465646279746573};
  const std::uint64_t length = text.size();
  for (; text.size() >= 8; text.remove_prefix(8)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), 8);
    state.absorb(word);
  }
  std::uint64_t last = length << 56;
  if (!text.empty()) std::memcpy(&last, text.data(), text.size());
  state.absorb(last);
  state.v2 ^= 0xff;
  for (int i = 0; i < 3; ++i) state.round();
  return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

}  // namespace sheaf::base
