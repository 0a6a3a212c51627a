#include "sheaf/store/shared/shared_lookup.h"

#include "sheaf/base/url.h"
#include "sheaf/base/wildcard.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace sheaf::store::shared {
namespace {

using base::Errc;
using base::fail;
using base::Result;
using PackId = PackLoader::PackId;

/// URLs per query: enough that the round trip to the server matters little.
constexpr std::size_t kUrlsAtOnce = 500;
/// Bytes of JSON that are read before pages are passed to the caller.
constexpr std::uint64_t kReadBytes = 128 * format::kMiB;
/// Packs per query, each of up to a megabyte.
constexpr std::size_t kPacksAhead = 64;

using SectionId = std::pair<int, std::int64_t>;  ///< bucket and number

struct RequestedRow {
  SectionId section;
  PageEntry entry;

  [[nodiscard]] PackId pack() const { return {section.first, entry.place.run}; }
};
using RequestedRows = std::vector<std::optional<RequestedRow>>;  ///< by URL

struct SectionText {
  std::string site;
  std::string name;
  std::string dictionary;
};

/// Looks up many pages with few queries: one for the index, one for the sections, and one for some packs. The
/// pages are read in the order of their places, and passed to the caller in the order of the requests.
class SharedManyPages {
 public:
  SharedManyPages(SharedCore& core, const PageRequests& requests) : core_(core), requests_(requests) {}

  Result<void> run(const FoundPageUse& use) {
    for (std::size_t next = 0; next < requests_.urls.size();) {
      SHEAF_TRY(core_.read([&](SharedView& view) { return read_some(view, next); }));
      for (const auto& page : pages_) SHEAF_TRY(use(next++, page));
    }
    return {};
  }

 private:
  /// Reads the pages of some requests, from request number `first`.
  Result<void> read_some(SharedView& view, std::size_t first) {
    const auto urls = requests_.urls.subspan(first, std::min(kUrlsAtOnce, requests_.urls.size() - first));
    SHEAF_TRY_ASSIGN(RequestedRows rows, find_rows(view, urls));
    std::size_t end = 0;
    for (std::uint64_t bytes = 0; end < rows.size() && (end == 0 || bytes < kReadBytes); ++end)
      bytes += rows[end] ? rows[end]->entry.json_bytes : 0;
    rows.resize(end);
    return read_pages(view, rows);
  }

  /// Finds the rows of the URLs. If several sections have a page, the newest version wins. The site of a
  /// URL's origin is searched first.
  Result<RequestedRows> find_rows(SharedView& view, std::span<const std::string> urls) {
    RequestedRows found(urls.size());
    SHEAF_TRY(find_rows(view, urls, "s.b = q.b AND s.origin = q.origin", found));
    if (requests_.site.empty()) SHEAF_TRY(find_rows(view, urls, "s.origin <> q.origin", found));
    return found;
  }

  /// Adds rows for URLs that were not found before, from the sections that `condition` selects.
  Result<void> find_rows(SharedView& view, std::span<const std::string> urls, std::string_view condition,
                         RequestedRows& found) {
    SqlArray hashes;
    SqlArray buckets;
    SqlArray origins;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < urls.size(); ++i) {
      if (found[i]) continue;
      const UrlKey key = hash_(urls[i]);
      const std::string origin = origin_of(urls[i]);
      hashes.add_bytes(as_text(key));
      buckets.add(core_.bucket_of(origin));
      origins.add_text(origin);
      numbers.push_back(i);
    }
    if (numbers.empty()) return {};
    SHEAF_TRY_ASSIGN(
        const auto rows,
        view.query(fmt::format("SELECT p.url_hash, p.url, p.modified, p.learnt_seconds, "
                               "p.learnt_nanoseconds, p.pack, p.slot, p.bytes, s.b, s.section, q.n FROM "
                               "unnest($1::bytea[], $2::int[], $3::text[]) WITH ORDINALITY AS q(hash, b, "
                               "origin, n) JOIN sheaf.section s ON {} JOIN sheaf.page p ON p.b = s.b AND "
                               "p.section = s.section AND p.url_hash = q.hash WHERE $4 = '' OR s.name = $4",
                               condition),
                   {hashes.param(), buckets.param(), origins.param(), requests_.section}));
    for (int i = 0; i < rows.size(); ++i) {
      auto row = page_row(rows, i);
      if (!row) return std::unexpected(core_.damaged("a row of its index cannot be read"));
      auto& before = found[numbers.at(static_cast<std::size_t>(rows.number(i, 10)) - 1)];
      if (before && !format::replaces(modified_of(row->entry), modified_of(before->entry))) continue;
      before = {{static_cast<int>(rows.number(i, 8)), rows.number(i, 9)}, std::move(row->entry)};
    }
    return {};
  }

  [[nodiscard]] std::string origin_of(const std::string& url) const {
    if (!requests_.site.empty()) return requests_.site;
    const auto parsed = base::Url::parse(url);
    return parsed ? std::string(parsed->origin()) : std::string();
  }

  Result<void> read_pages(SharedView& view, const RequestedRows& rows) {
    pages_.assign(rows.size(), std::nullopt);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (rows[i]) order.push_back(i);
    std::ranges::sort(
        order, {}, [&](std::size_t i) { return std::tuple(rows[i]->section.first, rows[i]->entry.place); });
    SHEAF_TRY_ASSIGN(const auto sections, read_sections(view, rows, order));
    PackLoader loader(core_, view);
    for (std::size_t begin = 0; begin < order.size();) {
      std::vector<PackId> packs;
      std::size_t end = begin;
      for (; end < order.size(); ++end) {
        const PackId id = rows[order[end]]->pack();
        if (!packs.empty() && packs.back() == id) continue;
        if (packs.size() == kPacksAhead) break;
        packs.push_back(id);
      }
      SHEAF_TRY(loader.read_ahead(packs));
      for (; begin < end; ++begin) {
        const std::size_t i = order[begin];
        SHEAF_TRY_ASSIGN(pages_[i], page_of(loader, *rows[i], sections.at(rows[i]->section)));
      }
    }
    return {};
  }

  using Sections = std::map<SectionId, SectionText>;
  static Result<Sections> read_sections(SharedView& view, const RequestedRows& rows,
                                        const std::vector<std::size_t>& order) {
    Sections sections;
    for (const std::size_t i : order) sections.try_emplace(rows[i]->section);
    SqlArray buckets;
    SqlArray numbers;
    for (const auto& [id, text] : sections) {
      buckets.add(id.first);
      numbers.add(id.second);
    }
    if (sections.empty()) return sections;
    SHEAF_TRY_ASSIGN(
        const auto found,
        view.query("SELECT s.b, s.section, s.origin, s.name, s.dictionary FROM unnest($1::int[], "
                   "$2::int[]) AS q(b, section) JOIN sheaf.section s ON s.b = q.b AND s.section "
                   "= q.section",
                   {buckets.param(), numbers.param()}));
    for (int i = 0; i < found.size(); ++i)
      sections[{static_cast<int>(found.number(i, 0)), found.number(i, 1)}] = {
          std::string(found.text(i, 2)), std::string(found.text(i, 3)), std::string(found.text(i, 4))};
    return sections;
  }

  Result<StoredPage> page_of(PackLoader& loader, const RequestedRow& row, const SectionText& section) const {
    const auto data = loader.page(row.section.first, row.entry, section.dictionary);
    if (!data && data.error().code == Errc::invalid_data)
      return std::unexpected(
          core_.damaged(fmt::format("the page {} {}", row.entry.url, data.error().message)));
    if (!data) return std::unexpected(data.error());
    return StoredPage{section.site,       section.name,    row.entry.url,
                      row.entry.modified, row.entry.as_of, std::string(data->json),
                      data->fetched};
  }

  SharedCore& core_;
  const PageRequests& requests_;
  UrlHasher hash_;
  std::vector<std::optional<StoredPage>> pages_;
};

}  // namespace

Result<void> get_many_shared(SharedCore& core, const PageRequests& requests, const FoundPageUse& use) {
  return SharedManyPages(core, requests).run(use);
}

namespace {

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
  change.site = rows.text(row, 2);
  change.section = rows.text(row, 3);
  change.url = rows.text(row, 4);
  change.old_modified = rows.text(row, 5);
  change.new_modified = rows.text(row, 6);
  change.kind = kind_of_change(rows.number(row, 1) != 0, change.old_modified);
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
                                 const std::function<Result<bool>(const StoreChange&)>& use) {
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
        SHEAF_TRY_ASSIGN(const bool more, use(change));
        if (!more) return {};
      }
    }
  }
  return {};
}

}  // namespace sheaf::store::shared
