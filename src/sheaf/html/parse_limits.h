#pragma once

#include <cstdint>

namespace sheaf::html {

/// Bounds on one page. None makes parsing fail: what lies beyond is cut or attached flat, and ParseResult
/// says so.
struct ParseLimits {
  std::uint32_t input_bytes = 256U << 20;  ///< longer input is cut; also the highest value allowed
  /// Where the tree stops getting deeper; deeper elements become siblings, as in browsers, which stop at 512
  /// too.
  std::uint32_t depth = 512;
  std::uint32_t nodes = 8'000'000;  ///< the input ends, as far as the tree goes, where the next node is made
  std::uint32_t attributes = 1024;  ///< per element; further ones are dropped
  std::uint32_t formatting =
      256;  ///< open formatting elements (b, i, a, font...) that a new block takes over
};

/// Which limits came to bear.
struct LimitsHit {
  bool input_bytes = false;
  bool depth = false;
  bool nodes = false;
  bool attributes = false;
  bool formatting = false;
  bool names = false;  ///< over 65,000 different element and attribute names; further ones are ignored

  [[nodiscard]] bool any() const {
    return input_bytes || depth || nodes || attributes || formatting || names;
  }
  friend bool operator==(const LimitsHit&, const LimitsHit&) = default;
};

}  // namespace sheaf::html
