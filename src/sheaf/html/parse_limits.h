#pragma once

#include <cstdint>

namespace sheaf::html {

/// Limits on one page. Exceeding a limit never makes parsing fail: the excess is dropped or attached less
/// deeply, and ParseResult reports it.
struct ParseLimits {
  std::uint32_t input_bytes = 256U << 20;  ///< longer input is truncated; higher values have no effect
  /// Maximum depth of the tree. Deeper elements become siblings, as in browsers, whose limit is also 512.
  std::uint32_t depth = 512;
  std::uint32_t nodes = 8'000'000;  ///< the rest of the input is ignored
  std::uint32_t attributes = 1024;  ///< per element; further attributes are dropped
  /// Active formatting elements (b, i, a, font...) that are reopened in a new block; beyond the limit the
  /// oldest is dropped.
  std::uint32_t formatting = 256;
};

/// Which limits were reached.
struct LimitsHit {
  bool input_bytes = false;
  bool depth = false;
  bool nodes = false;
  bool attributes = false;
  bool formatting = false;
  bool emphasis = false;  ///< Markdown: some emphasis marks of a paragraph were kept as text
  bool names = false;     ///< over 65,000 different element and attribute names; further names are ignored

  [[nodiscard]] bool any() const {
    return input_bytes || depth || nodes || attributes || formatting || emphasis || names;
  }
  friend bool operator==(const LimitsHit&, const LimitsHit&) = default;
};

}  // namespace sheaf::html
