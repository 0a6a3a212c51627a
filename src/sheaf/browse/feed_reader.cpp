#include "sheaf/browse/feed_reader.h"

namespace sheaf::browse {
namespace {

/// Whether the feed reaches back to there.
base::Result<bool> has_changes_after(const store::PageStore& store, std::uint64_t since) {
  const auto read = store.changes(since, [](const store::StoreChange&) { return false; });
  if (read) return true;
  if (read.error().code == base::Errc::refused) return false;
  return std::unexpected(read.error());
}

}  // namespace

base::Result<FeedRange> newest_changes(const store::PageStore& store, std::uint64_t most) {
  FeedRange range;
  SHEAF_TRY_ASSIGN(range.last, store.last_sequence());
  range.since = range.last > most ? range.last - most : 0;
  SHEAF_TRY_ASSIGN(const bool is_there, has_changes_after(store, range.since));
  if (is_there) return range;
  // The first number that the feed still has lies between these two.
  std::uint64_t missing = range.since;
  std::uint64_t present = range.last;
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
