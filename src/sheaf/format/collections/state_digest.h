#pragma once

#include "sheaf/base/hash.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::format {

/// Proves the content of a section: the sum modulo 2^256 of SHA-256(url LF modified) over its pages, both
/// strings as written in the page. A sum does not depend on the order of the pages, and a change costs one
/// addition or subtraction. A hash over the sorted list would have to be recomputed for every delta.
class StateDigest {
 public:
  void add(std::string_view url, std::string_view modified) { add(hash(url, modified)); }
  void subtract(std::string_view url, std::string_view modified) { subtract(hash(url, modified)); }

  /// The summand of one page, for callers that keep it.
  base::Digest hash(std::string_view url, std::string_view modified);
  void add(const base::Digest& summand);
  void subtract(const base::Digest& summand);

  [[nodiscard]] const base::Digest& sum() const { return sum_; }
  [[nodiscard]] std::string to_string() const;  ///< "sum256:" and 64 lower-case hex digits
  /// Parses that form, also with upper-case digits. Nullopt for anything else.
  static std::optional<base::Digest> parse(std::string_view text);
  /// Whether `text` states this sum.
  [[nodiscard]] bool matches(std::string_view text) const;

 private:
  base::Digest sum_{};  ///< big-endian
  base::Sha256 sha_;
};

}  // namespace sheaf::format
