#pragma once

#include "sheaf/store/feed_cursor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sheaf::search {

/// Must be increased when the terms of a page change their meaning. An index of another version is rebuilt.
inline constexpr std::uint64_t kIndexVersion = 2;

/// The state of the index. It is committed after the pages that it covers.
struct IndexPosition {
  std::uint64_t version = 0;                       ///< 0 if there is no index yet
  std::optional<store::FeedCursor> sequence = {};  ///< all changes up to here are in the index
  std::optional<store::FeedCursor> rebuilding =
      {};  ///< the store's newest change when a walk over all pages began
};

std::string encode(const IndexPosition& position);
/// Returns the position of a missing index if `bytes` are not a position.
IndexPosition decode_index_position(std::string_view bytes);

}  // namespace sheaf::search
