#include "sheaf/base/url.h"
#include "sheaf/store/shared/shared_maintenance.h"

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
      hashes.add_bytes({reinterpret_cast<const char*>(key.data()), key.size()});
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

}  // namespace sheaf::store::shared
