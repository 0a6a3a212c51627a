#pragma once

#include <cstdint>

namespace sheaf::html {

/// Limits on one page. None makes parsing fail: the excess is dropped or attached less deeply, and
/// ParseResult reports it.
struct ParseLimits {
  std::uint32_t input_bytes = 256U << 20;  ///< longer input is cut; also the highest value allowed
  /// Where the tree stops getting deeper; deeper elements become siblings, as in browsers, which stop at 512
  /// too.
  std::uint32_t depth = 512;
  std::uint32_t nodes = 8'000'000;  ///< the tree ends before the next node
  std::uint32_t attributes = 1024;  ///< per element; further ones are dropped
  std::uint32_t formatting =
      256;  ///< open formatting elements (b, i, a, font...) that a new block takes over
};

/// Which limits were reached.
struct LimitsHit {
  bool input_bytes = false;
  bool depth = false;
  bool nodes = false;
  bool attributes = false;
  bool formatting = false;
  bool emphasis = false;  ///< Markdown: some emphasis marks of a paragraph were left as text
  bool names = false;     ///< over 65,000 different element and attribute names; further ones are ignored

  [[nodiscard]] bool any() const {
    return input_bytes || depth || nodes || attributes || formatting || emphasis || names;
  }
  friend bool operator==(const LimitsHit&, const LimitsHit&) = default;
};

}  // namespace sheaf::html
