#include "sheaf/browse/feed_reader.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sheaf::browse {
namespace {

/// Whether the feed still has the changes after `since`.
base::Result<bool> has_changes_after(const store::PageStore& store, const store::FeedCursor& since) {
  const auto read = store.changes(since, [](const store::StoreChange&) { return false; });
  if (read) return true;
  if (read.error().code == base::Errc::refused) return false;
  return std::unexpected(read.error());
}

store::FeedCursor step_back(const store::FeedCursor& from, std::uint64_t changes) {
  std::vector<std::uint64_t> numbers;
  std::uint64_t active = 0;
  for (std::size_t part = 0; part < from.parts(); ++part) active += from.of(part) > 0 ? 1 : 0;
  const std::uint64_t share = std::max<std::uint64_t>(1, changes / std::max<std::uint64_t>(1, active));
  for (std::size_t part = 0; part < from.parts(); ++part)
    numbers.push_back(from.of(part) > share ? from.of(part) - share : 0);
  return store::FeedCursor(std::move(numbers));
}

}  // namespace

base::Result<FeedRange> newest_changes(const store::PageStore& store, std::uint64_t most) {
  FeedRange range;
  SHEAF_TRY_ASSIGN(range.last, store.newest_change());
  range.since = step_back(range.last, most);
  SHEAF_TRY_ASSIGN(const bool is_there, has_changes_after(store, range.since));
  if (is_there) return range;
  if (range.last.parts() > 1) {
    range.since = range.last;
    return range;
  }
  // Binary search: the first number that the feed still has is between these two.
  std::uint64_t missing = range.since.total();
  std::uint64_t present = range.last.total();
  while (present - missing > 1) {
    const std::uint64_t middle = missing + (present - missing) / 2;
    SHEAF_TRY_ASSIGN(const bool has_middle, has_changes_after(store, middle));
    (has_middle ? present : missing) = middle;
  }
  range.since = present;
  return range;
}

std::string_view describe_change(const store::StoreChange& change) {
  if (change.kind == store::ChangeKind::remove) return "removed";
  return change.old_modified.empty() ? "new" : "changed";
}

}  // namespace sheaf::browse
