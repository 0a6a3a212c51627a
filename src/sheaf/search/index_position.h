#pragma once

#include "sheaf/store/feed_cursor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::search {

/// Raised when the terms of a page change their meaning: an index of another version is made anew.
inline constexpr std::uint64_t kIndexVersion = 2;

/// What the index says of itself; it is committed together with the pages.
struct IndexPosition {
  std::uint64_t version = 0;                       ///< 0: nothing there yet
  std::optional<store::FeedCursor> sequence = {};  ///< everything up to this change is in it
  std::optional<store::FeedCursor> rebuilding =
      {};  ///< the store's newest change when a walk over all pages began
};

std::string encode(const IndexPosition& position);
/// As if nothing was there, for bytes that are not a position.
IndexPosition decode_index_position(std::string_view bytes);

}  // namespace sheaf::search
