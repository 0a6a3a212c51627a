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

}  // namespace sheaf::base
