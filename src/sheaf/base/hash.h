#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace sheaf::base {

using Digest = std::array<std::uint8_t, 32>;

/// SHA-256 of a stream of bytes.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void update(std::string_view bytes);
  /// Returns the digest of all bytes since the start or the last call of finish(), and starts a new digest.
  Digest finish();

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

Digest sha256(std::string_view bytes);

/// A secret for `keyed_hash`. With a random key, an attacker cannot prepare colliding inputs.
struct HashKey {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  static HashKey random();
};

/// SipHash-1-3. It is fast on short strings, and its collisions are unpredictable without the key.
std::uint64_t keyed_hash(HashKey key, std::string_view text) noexcept;

}  // namespace sheaf::base
