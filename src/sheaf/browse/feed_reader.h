#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <string_view>

namespace sheaf::browse {

/// A stretch of the change feed: the changes after `since`, up to `last`.
struct FeedRange {
  std::uint64_t since = 0;
  std::uint64_t last = 0;
};

/// The newest changes, at most `most` of them; fewer if gc has deleted the older ones.
base::Result<FeedRange> newest_changes(const store::PageStore& store, std::uint64_t most);

/// "new", "changed", "removed".
std::string_view describe_change(const store::StoreChange& change);

}  // namespace sheaf::browse
