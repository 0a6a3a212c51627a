#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <string_view>

namespace sheaf::browse {

/// A range of the change feed: the changes after `since`, up to `last`.
struct FeedRange {
  store::FeedCursor since;
  store::FeedCursor last;
};

/// The range of about `most` newest changes; fewer if gc has deleted the older ones. In a feed with several
/// parts, the newest changes of each part.
base::Result<FeedRange> newest_changes(const store::PageStore& store, std::uint64_t most);

/// "new", "changed", "removed".
std::string_view describe_change(const store::StoreChange& change);

}  // namespace sheaf::browse
