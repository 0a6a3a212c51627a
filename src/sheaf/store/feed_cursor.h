#pragma once

#include "sheaf/base/error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store {

/// A position in the change feed of a store: the number of the last change that was read. The feed of a
/// shared store has several parts, each numbered separately, and the position has one number for each part.
///
/// As text, a position is the number itself (`1200`), or for several parts a token of letters, digits, `-`
/// and `_` (`c...`). Zero is the position before the first change of any store.
class FeedCursor {
 public:
  FeedCursor() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a number is a position in a feed with one part
  FeedCursor(std::uint64_t number) : parts_{number} {}
  explicit FeedCursor(std::vector<std::uint64_t> parts);

  [[nodiscard]] std::size_t parts() const { return parts_.size(); }
  [[nodiscard]] std::uint64_t of(std::size_t part) const { return part < parts_.size() ? parts_[part] : 0; }
  /// Whether this is before the first change, in any store.
  [[nodiscard]] bool is_start() const;
  /// The number of changes up to this position, summed over the parts.
  [[nodiscard]] std::uint64_t total() const;
  /// Advances to change `number` of `part`, in a feed with `parts` parts. Never moves back.
  void advance(std::size_t part, std::uint64_t number, std::size_t parts);

  [[nodiscard]] std::string text() const;
  /// As a JSON value: a number, or a string with the token.
  [[nodiscard]] std::string json() const;
  /// Fails with Errc::invalid_argument if `text` was not written by text().
  static base::Result<FeedCursor> parse(std::string_view text);

  friend bool operator==(const FeedCursor& a, const FeedCursor& b) = default;

  static constexpr std::size_t kMaxParts = 65'536;

 private:
  std::vector<std::uint64_t> parts_{0};
};

}  // namespace sheaf::store
