#pragma once

#include "sheaf/base/error.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::store {

/// A position in the change feed of a store: the number of the last change that was read. The feed of a
/// shared store has several parts with numbers of their own, and the position has one number for each.
///
/// Written as text, it is the number itself (`1200`), or a token of letters, digits, `-` and `_` for several
/// parts (`c...`). Zero is before the first change of any store.
class FeedCursor {
 public:
  FeedCursor() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a number is a position in a feed with one part
  FeedCursor(std::uint64_t number) : parts_{number} {}
  explicit FeedCursor(std::vector<std::uint64_t> parts);

  [[nodiscard]] std::size_t parts() const { return parts_.size(); }
  [[nodiscard]] std::uint64_t of(std::size_t part) const { return part < parts_.size() ? parts_[part] : 0; }
  /// Whether this is before the first change, in whatever store.
  [[nodiscard]] bool is_start() const;
  /// The number of changes up to here; the number itself if there is one part.
  [[nodiscard]] std::uint64_t total() const;
  /// Moves on to a change of a feed with that many parts; never back.
  void advance(std::size_t part, std::uint64_t number, std::size_t parts);

  [[nodiscard]] std::string text() const;
  /// As a JSON value: a number, or a string with the token.
  [[nodiscard]] std::string json() const;
  /// Errors: invalid_argument for anything that text() did not write.
  static base::Result<FeedCursor> parse(std::string_view text);

  friend bool operator==(const FeedCursor& a, const FeedCursor& b) = default;

  static constexpr std::size_t kMostParts = 65'536;

 private:
  std::vector<std::uint64_t> parts_{0};
};

}  // namespace sheaf::store
