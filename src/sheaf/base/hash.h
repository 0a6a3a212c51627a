#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace sheaf::base {

/// A secret for `keyed_hash`. With a random key nobody can prepare inputs that collide.
struct HashKey {
  std::uint64_t first = 0;
  std::uint64_t second = 0;

  static HashKey random();
};

/// SipHash-1-3: quick on short strings, and without the key its collisions cannot be foreseen.
std::uint64_t keyed_hash(HashKey key, std::string_view text) noexcept;

}  // namespace sheaf::base
