#include "sheaf/store/local/page_walk.h"

#include "sheaf/base/external_sort.h"
#include "sheaf/base/wildcard.h"
#include "sheaf/format/limits.h"
#include "sheaf/store/local/page_cursor.h"

#include <fmt/format.h>

#include <utility>

namespace sheaf::store::local {
namespace {

using base::Result;

struct PlacedPage {
  Place place;
  UrlKey url{};
  std::uint64_t json_bytes = 0;
  friend bool operator<(const PlacedPage& a, const PlacedPage& b) { return a.place < b.place; }
};

/// The pages of one section in the order of their places. The index is sorted by hash, so its entries are
/// sorted by place first, on disk if necessary.
class SectionWalk {
 public:
  using Use = std::function<Result<bool>(const StoredPage&)>;

  SectionWalk(const StoreView& view, const NamedSection& section, const PageFilter& filter,
              const std::filesystem::path& folder)
      : view_(view), section_(section), filter_(filter), pages_(kSortMemory, folder) {}

  /// False if `use` ended the walk.
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
      if (!url || !entry) {
        SHEAF_TRY(pass_over(fmt::format("an entry of the index of section {} of {} cannot be read",
                                        section_.name, section_.site)));
        continue;
      }
      if (!is_wanted(*entry)) continue;
      SHEAF_TRY(pages_.add({entry->place, *url, entry->json_bytes}));
    }
    const auto read = cursor.check();
    if (read || !filter_.on_damage) return read;
    return pass_over(fmt::format("the rest of the index of section {} of {} cannot be read: {}",
                                 section_.name, section_.site, read.error().message));
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
    PageCursor cursor(view_.view());
    StoredPage page = page_of_section();
    UrlHasher hash;
    while (true) {
      SHEAF_TRY_ASSIGN(const auto placed, pages_.next());
      if (!placed) return true;
      const auto data = cursor.read(placed->place, placed->json_bytes);
      if (!data || hash(data->url) != placed->url) {
        SHEAF_TRY(pass_over(placed->url, data ? "is not what its entry says" : data.error().message));
        continue;
      }
      page.url = data->url;
      page.modified = data->modified;
      page.learnt = data->learnt;
      page.json = data->json;
      page.fetched = data->fetched;
      SHEAF_TRY_ASSIGN(const bool more, use(page));
      if (!more) return false;
    }
  }

  /// Continues after an unreadable page if the caller wants that.
  Result<void> pass_over(const UrlKey& url, std::string_view what) const {
    const auto entry = view_.entry(section_.record.id, url);
    return pass_over(fmt::format("the page {} of section {} of {} {}",
                                 entry && *entry ? (*entry)->url : "of unknown URL", section_.name,
                                 section_.site, what));
  }

  [[nodiscard]] Result<void> pass_over(const std::string& sentence) const {
    if (!filter_.on_damage) return std::unexpected(view_.damaged(sentence));
    filter_.on_damage(sentence);
    return {};
  }

  const StoreView& view_;
  const NamedSection& section_;
  const PageFilter& filter_;
  base::ExternalSort<PlacedPage> pages_;
};

}  // namespace

Result<void> walk_pages(const StoreCore& core, const PageFilter& filter,
                        const std::function<Result<bool>(const StoredPage&)>& use) {
  const StoreView view = core.view();
  SHEAF_TRY_ASSIGN(const auto sections, view.sections(filter.site));
  for (const NamedSection& section : sections) {
    if (!filter.section.empty() && filter.section != section.name) continue;
    // A reader must not write into the store's folder, not even an unnamed temporary file.
    SHEAF_TRY_ASSIGN(const bool more, SectionWalk(view, section, filter, {}).run(use));
    if (!more) break;
  }
  return {};
}

}  // namespace sheaf::store::local
