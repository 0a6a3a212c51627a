#include "sheaf/base/wildcard.h"
#include "sheaf/store/shared/shared_maintenance.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::store::shared {
namespace {

using base::Errc;
using base::fail;
using base::Result;

constexpr int kPagesAtOnce = 2'000;
constexpr int kChangesAtOnce = 2'000;

using PageUse = std::function<Result<bool>(const StoredPage&)>;

/// Walks over the pages of one section in the order in which they were stored. Pages are fetched in steps, so
/// that `use` may run other queries on the view.
class SharedSectionWalk {
 public:
  SharedSectionWalk(SharedCore& core, SharedView& view, const PlacedSection& section,
                    const PageFilter& filter)
      : core_(core), view_(view), section_(section), filter_(filter), packs_(core, view) {}

  /// Returns false if `use` ended the walk.
  Result<bool> run(const PageUse& use) {
    const std::string cursor = view_.new_cursor();
    SHEAF_TRY(view_.query(
        fmt::format("DECLARE {} NO SCROLL CURSOR FOR SELECT {} FROM sheaf.page WHERE b = {} AND section = {} "
                    "ORDER BY pack, slot",
                    cursor, kPageColumns, section_.b, section_.named.record.id)));
    bool more = true;
    while (more) {
      SHEAF_TRY_ASSIGN(const auto rows,
                       view_.query(fmt::format("FETCH FORWARD {} FROM {}", kPagesAtOnce, cursor)));
      for (int i = 0; i < rows.size() && more; ++i) {
        SHEAF_TRY_ASSIGN(more, hand_over(rows, i, use));
      }
      if (rows.size() < kPagesAtOnce) break;
    }
    SHEAF_TRY(view_.query(fmt::format("CLOSE {}", cursor)));
    return more;
  }

 private:
  [[nodiscard]] bool is_wanted(const PageEntry& entry) const {
    if (filter_.modified_since && entry.modified_at < *filter_.modified_since) return false;
    if (filter_.modified_before && entry.modified_at >= *filter_.modified_before) return false;
    return filter_.url.empty() || base::matches_wildcard(filter_.url, entry.url);
  }

  Result<bool> hand_over(const PgRows& rows, int number, const PageUse& use) {
    const auto row = page_row(rows, number);
    if (!row)
      return pass_over(fmt::format("an entry of the index of section {} of {} cannot be read",
                                   section_.named.name, section_.named.site));
    const PageEntry& entry = row->entry;
    if (!is_wanted(entry)) return true;
    StoredPage page{section_.named.site, section_.named.name, entry.url, entry.modified, entry.as_of, {}};
    if (filter_.with_json) {
      const auto data = packs_.page(section_.b, entry, section_.dictionary);
      if (!data && data.error().code != Errc::invalid_data) return std::unexpected(data.error());
      if (!data)
        return pass_over(fmt::format("the page {} of section {} of {} {}", entry.url, section_.named.name,
                                     section_.named.site, data.error().message));
      page.json = data->json;
      page.fetched = data->fetched;
    }
    return use(page);
  }

  /// Reports unreadable data to PageFilter::on_damage. Without it, returns an error.
  [[nodiscard]] Result<bool> pass_over(const std::string& sentence) const {
    if (!filter_.on_damage) return std::unexpected(core_.damaged(sentence));
    filter_.on_damage(sentence);
    return true;
  }

  SharedCore& core_;
  SharedView& view_;
  const PlacedSection& section_;
  const PageFilter& filter_;
  PackLoader packs_;
};

StoreChange change_of(const PgRows& rows, int row, std::size_t part, std::size_t parts) {
  StoreChange change;
  change.part = static_cast<std::uint32_t>(part);
  change.parts = static_cast<std::uint32_t>(parts);
  change.sequence = static_cast<std::uint64_t>(rows.number(row, 0));
  change.kind = rows.number(row, 1) == 0 ? ChangeKind::put : ChangeKind::remove;
  change.site = rows.text(row, 2);
  change.section = rows.text(row, 3);
  change.url = rows.text(row, 4);
  change.old_modified = rows.text(row, 5);
  change.new_modified = rows.text(row, 6);
  return change;
}

/// Where each part of the feed begins and ends.
struct FeedEnds {
  std::vector<std::uint64_t> first;
  std::vector<std::uint64_t> last;
};

Result<FeedEnds> feed_ends(SharedView& view, std::int64_t buckets) {
  SHEAF_TRY_ASSIGN(const auto rows, view.query("SELECT b, first, seq FROM sheaf.bucket"));
  FeedEnds ends;
  ends.first.resize(static_cast<std::size_t>(buckets), 1);
  ends.last.resize(static_cast<std::size_t>(buckets), 0);
  for (int i = 0; i < rows.size(); ++i) {
    const auto b = static_cast<std::size_t>(rows.number(i, 0));
    if (b >= ends.first.size()) continue;
    ends.first[b] = static_cast<std::uint64_t>(rows.number(i, 1));
    ends.last[b] = static_cast<std::uint64_t>(rows.number(i, 2));
  }
  return ends;
}

Result<void> check_position(const FeedCursor& since, const FeedEnds& ends) {
  const std::string newest = FeedCursor(ends.last).text();
  if (!since.is_start() && since.parts() != ends.last.size())
    return fail(Errc::refused,
                fmt::format("that is not a position in the feed of this store, which has {} parts; read all "
                            "pages, then continue from {}",
                            ends.last.size(), newest));
  for (std::size_t part = 0; part < ends.last.size(); ++part) {
    const std::uint64_t at = since.of(part);
    if (at > ends.last[part])
      return fail(
          Errc::refused,
          fmt::format("there is no change {}: the newest of its part of this store is {}; if the store "
                      "was created again or restored, read all pages, then continue from {}",
                      at, ends.last[part], newest));
    if (at + 1 < ends.first[part])
      return fail(Errc::refused,
                  fmt::format("the change feed begins with {}: earlier changes were deleted by gc, so {} is "
                              "too far back; read all pages, then continue from {}",
                              ends.first[part], at, newest));
  }
  return {};
}

}  // namespace

Result<void> walk_shared_pages(SharedCore& core, const PageFilter& filter, const PageUse& use) {
  SHEAF_TRY_ASSIGN(const ViewPtr view, core.view());
  SHEAF_TRY_ASSIGN(const auto sections, SharedCore::sections(*view, core, filter.site));
  for (const PlacedSection& section : sections) {
    if (!filter.section.empty() && filter.section != section.named.name) continue;
    SHEAF_TRY_ASSIGN(const bool more, SharedSectionWalk(core, *view, section, filter).run(use));
    if (!more) break;
  }
  return {};
}

Result<FeedCursor> newest_shared_change(SharedCore& core) {
  FeedCursor newest;
  SHEAF_TRY(core.read([&](SharedView& view) -> Result<void> {
    SHEAF_TRY_ASSIGN(auto ends, feed_ends(view, core.meta().buckets));
    newest = FeedCursor(std::move(ends.last));
    return {};
  }));
  return newest;
}

Result<void> walk_shared_changes(SharedCore& core, const FeedCursor& since,
                                 const std::function<bool(const StoreChange&)>& use) {
  SHEAF_TRY_ASSIGN(const ViewPtr view, core.view());
  SHEAF_TRY_ASSIGN(const FeedEnds ends, feed_ends(*view, core.meta().buckets));
  SHEAF_TRY(check_position(since, ends));
  for (std::size_t part = 0; part < ends.last.size(); ++part) {
    std::uint64_t at = since.of(part);
    while (at < ends.last[part]) {
      SHEAF_TRY_ASSIGN(
          const auto rows,
          view->query(fmt::format("SELECT seq, kind, site, section, url, old_modified, new_modified FROM "
                                  "sheaf.change WHERE b = $1 AND seq > $2 ORDER BY seq LIMIT {}",
                                  kChangesAtOnce),
                      {static_cast<std::int64_t>(part), static_cast<std::int64_t>(at)}));
      if (rows.empty()) return std::unexpected(core.damaged("the end of the change feed is missing"));
      for (int i = 0; i < rows.size(); ++i) {
        const StoreChange change = change_of(rows, i, part, ends.last.size());
        if (change.sequence != ++at) return std::unexpected(core.damaged("the change feed has a gap"));
        if (!use(change)) return {};
      }
    }
  }
  return {};
}

}  // namespace sheaf::store::shared
