#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace sheaf::base {

/// A secret for `keyed_hash`. With a random key, an attacker cannot prepare colliding inputs.
struct HashKey {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  static HashKey random();
};

/// SipHash-1-3. It is fast on short strings, and its collisions are unpredictable without the key.
std::uint64_t keyed_hash(HashKey key, std::string_view text) noexcept;

}  // namespace sheaf::base
