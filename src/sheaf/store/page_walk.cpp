#include "sheaf/store/page_walk.h"

#include "sheaf/base/wildcard.h"
#include "sheaf/format/external_sort.h"
#include "sheaf/format/limits.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::store {
namespace {

using base::Result;

constexpr std::size_t kSortMemory = 16 * format::kMiB;

struct PlacedPage {
  Place place;
  UrlKey url{};
  friend bool operator<(const PlacedPage& a, const PlacedPage& b) { return a.place < b.place; }
};

/// The pages of one section in the order of their places: the index lies in the order of hashes, so its
/// entries are sorted first, on disk if need be.
class SectionWalk {
 public:
  using Use = std::function<Result<bool>(const StoredPage&)>;

  SectionWalk(const StoreView& view, const NamedSection& section, const PageFilter& filter,
              const std::filesystem::path& folder)
      : view_(view), section_(section), filter_(filter), pages_(kSortMemory, folder) {}

  /// False when `use` ended it.
  Result<bool> run(const Use& use) {
    SHEAF_TRY(collect());
    SHEAF_TRY(pages_.sort());
    return filter_.with_json ? hand_over_pages(use) : hand_over_entries(use);
  }

 private:
  [[nodiscard]] bool is_wanted(const PageEntry& entry) const {
    if (filter_.modified_since && entry.modified_at < *filter_.modified_since) return false;
    if (filter_.modified_before && entry.modified_at >= *filter_.modified_before) return false;
    return filter_.url.empty() || base::matches_wildcard(filter_.url, entry.url);
  }

  Result<void> collect() {
    auto cursor = view_.view().scan(index_prefix(section_.record.id));
    for (; cursor.valid(); cursor.next()) {
      const auto url = url_of_index_key(cursor.key());
      const auto entry = decode_entry(cursor.value());
      if (!url || !entry) return std::unexpected(view_.damaged("an entry of its index cannot be read"));
      if (!is_wanted(*entry)) continue;
      SHEAF_TRY(pages_.add({entry->place, *url}));
    }
    return cursor.check();
  }

  [[nodiscard]] StoredPage page_of_section() const {
    StoredPage page;
    page.site = section_.site;
    page.section = section_.name;
    return page;
  }

  Result<bool> hand_over_entries(const Use& use) {
    StoredPage page = page_of_section();
    while (true) {
      SHEAF_TRY_ASSIGN(const auto placed, pages_.next());
      if (!placed) return true;
      SHEAF_TRY_ASSIGN(auto entry, view_.entry(section_.record.id, placed->url));
      if (!entry) return std::unexpected(view_.damaged("an entry of its index is gone"));
      page.url = std::move(entry->url);
      page.modified = std::move(entry->modified);
      page.learnt = entry->learnt;
      SHEAF_TRY_ASSIGN(const bool more, use(page));
      if (!more) return false;
    }
  }

  Result<bool> hand_over_pages(const Use& use) {
    auto cursor = view_.view().scan("", Table::data);
    StoredPage page = page_of_section();
    UrlHasher hash;
    while (true) {
      SHEAF_TRY_ASSIGN(const auto placed, pages_.next());
      if (!placed) return true;
      SHEAF_TRY(go_to(cursor, data_key(placed->place)));
      const auto data = decode_data(cursor.value());
      if (!data || hash(data->url) != placed->url)
        return std::unexpected(view_.damaged("a page is not what its entry says"));
      page.url = data->url;
      page.modified = data->modified;
      page.learnt = data->learnt;
      page.json = data->json;
      SHEAF_TRY_ASSIGN(const bool more, use(page));
      if (!more) return false;
    }
  }

  /// Pages that lie side by side are stepped over, others looked for.
  Result<void> go_to(Database::Cursor& cursor, const std::string& key) {
    constexpr int kSteps = 8;
    for (int i = 0; i < kSteps && cursor.valid() && cursor.key() < key; ++i) cursor.next();
    if (!cursor.valid() || cursor.key() != key) cursor.seek(key);
    SHEAF_TRY(cursor.check());
    if (!cursor.valid() || cursor.key() != key)
      return std::unexpected(
          view_.damaged(fmt::format("a page of section {} of {} is missing", section_.name, section_.site)));
    return {};
  }

  const StoreView& view_;
  const NamedSection& section_;
  const PageFilter& filter_;
  format::ExternalSort<PlacedPage> pages_;
};

}  // namespace

Result<void> walk_pages(const StoreCore& core, const PageFilter& filter,
                        const std::function<Result<bool>(const StoredPage&)>& use) {
  const StoreView view = core.view();
  SHEAF_TRY_ASSIGN(const auto sections, view.sections(filter.site));
  for (const NamedSection& section : sections) {
    if (!filter.section.empty() && filter.section != section.name) continue;
    // A reader must not write into the store's folder, not even a nameless file.
    SHEAF_TRY_ASSIGN(const bool more, SectionWalk(view, section, filter, {}).run(use));
    if (!more) break;
  }
  return {};
}

}  // namespace sheaf::store
