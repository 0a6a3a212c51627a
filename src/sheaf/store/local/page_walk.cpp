#include "sheaf/store/local/page_walk.h"

#include "sheaf/base/external_sort.h"
#include "sheaf/format/limits.h"
#include "sheaf/store/local/page_lookup.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace sheaf::store::local {
namespace {

using base::Result;

/// Sections up to this size are sorted before the first page is passed to the caller; that takes some
/// milliseconds.
constexpr std::uint64_t kSortedAtOnce = 10'000;
/// Number of records of a larger section that are read before the rest is sorted.
constexpr std::uint64_t kHeadRecords = 2'048;

/// Walks over the pages of one section in the order of their places, which is the fastest order for reading
/// JSON. The index is sorted by hash, so its entries are sorted by place first, on disk if necessary.
///
/// Sorting a large section takes seconds, and a caller that wants three pages should not wait for it. So a
/// walk over a large section begins with the first records of one run, each of which is looked up in the
/// index, and sorts the rest only if the caller continues. Without JSON, the order of places has no
/// advantage, so the entries of a large section are passed in the order of the index.
class SectionWalk {
 public:
  using Use = std::function<Result<bool>(const StoredPage&)>;

  SectionWalk(const StoreView& view, const NamedSection& section, const PageFilter& filter,
              const std::filesystem::path& folder)
      : view_(view),
        section_(section),
        filter_(filter),
        index_(view, section, filter),
        pages_(kSortMemory, folder) {}

  /// Returns false if `use` ended the walk.
  Result<bool> run(const Use& use) {
    if (section_.record.pages > kSortedAtOnce) {
      if (!filter_.with_json) return hand_over_index(use);
      SHEAF_TRY_ASSIGN(const bool more, hand_over_head(use));
      if (!more) return false;
    }
    const auto collected = index_.scan([this](const UrlKey& url, const PageEntry& entry) {
      return is_in_head(entry.place) ? Result<bool>(true) : collect(url, entry);
    });
    if (!collected) return collected;
    SHEAF_TRY(pages_.sort());
    return filter_.with_json ? hand_over_pages(use) : hand_over_entries(use);
  }

 private:
  [[nodiscard]] bool is_in_head(const Place& place) const {
    return head_begin_ <= place && place < head_end_;
  }

  Result<bool> collect(const UrlKey& url, const PageEntry& entry) {
    SHEAF_TRY(pages_.add({entry.place, url, entry.json_bytes}));
    return true;
  }

  Result<bool> hand_over_index(const Use& use) {
    StoredPage page = index_.page_of_section();
    return index_.scan([&](const UrlKey&, PageEntry& entry) { return use(fill(page, std::move(entry))); });
  }

  /// Passes the first pages of the run to which the first entry of the index belongs, usually the run of a
  /// snapshot. Stops at anything unusual: pages that are not in the head are read, and damage is reported,
  /// after sorting.
  Result<bool> hand_over_head(const Use& use) {
    auto index = view_.view().scan(index_prefix(section_.record.id));
    const auto first = index.valid() ? decode_entry(index.value()) : std::nullopt;
    if (!first) return true;
    head_begin_ = head_end_ = {first->place.run, 0};
    auto records = view_.view().scan(data_prefix(first->place.run), Table::data);
    PageCursor pages(view_.view());
    StoredPage page = index_.page_of_section();
    UrlHasher hash;
    for (std::uint64_t i = 0; i < kHeadRecords && records.valid(); ++i, records.next()) {
      const auto place = place_of_data_key(records.key());
      const auto record = decode_data(records.value());
      if (!place || !record) break;
      if (!record->url.empty()) {  // otherwise it is a further part of a page
        SHEAF_TRY_ASSIGN(const auto entry, view_.entry(section_.record.id, hash(record->url)));
        if (entry && entry->place == *place && index_.is_wanted(*entry)) {
          const auto data = pages.read(*place, entry->json_bytes);
          if (!data) break;
          head_end_ = {place->run, place->number + 1};
          SHEAF_TRY_ASSIGN(const bool more, use(fill(page, *data)));
          if (!more) return false;
        }
      }
      head_end_ = {place->run, place->number + 1};
    }
    return true;
  }

  Result<bool> hand_over_entries(const Use& use) {
    StoredPage page = index_.page_of_section();
    while (true) {
      SHEAF_TRY_ASSIGN(const auto placed, pages_.next());
      if (!placed) return true;
      SHEAF_TRY_ASSIGN(auto entry, view_.entry(section_.record.id, placed->url));
      if (!entry) return std::unexpected(view_.damaged("an entry of its index is gone"));
      SHEAF_TRY_ASSIGN(const bool more, use(fill(page, std::move(*entry))));
      if (!more) return false;
    }
  }

  Result<bool> hand_over_pages(const Use& use) {
    PageCursor cursor(view_.view());
    StoredPage page = index_.page_of_section();
    UrlHasher hash;
    while (true) {
      SHEAF_TRY_ASSIGN(const auto placed, pages_.next());
      if (!placed) return true;
      const auto data = cursor.read(placed->place, placed->json_bytes);
      if (!data || hash(data->url) != placed->url) {
        SHEAF_TRY(index_.pass_over(
            index_.describe(placed->url, data ? "does not match its entry" : data.error().message)));
        continue;
      }
      SHEAF_TRY_ASSIGN(const bool more, use(fill(page, *data)));
      if (!more) return false;
    }
  }

  const StoreView& view_;
  const NamedSection& section_;
  const PageFilter& filter_;
  SectionIndex index_;
  base::ExternalSort<PlacedPage> pages_;
  // Pages in [head_begin_, head_end_) were passed to the caller before sorting.
  Place head_begin_;
  Place head_end_;
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

namespace {

/// A range has several blocks of the data table, so that few blocks are read by two threads, and takes some
/// milliseconds to read.
constexpr std::uint64_t kRangeBytes = 2 * format::kMiB;
/// Reading the index of a smaller section takes less time than starting threads.
constexpr std::uint64_t kManyPages = 10'000;

class PlacedRange final : public PageRange {
 public:
  PlacedRange(const StoreView& view, const NamedSection& section, const PageFilter& filter,
              std::vector<PlacedPage> pages)
      : view_(view), section_(section), filter_(filter), pages_(std::move(pages)) {}

  Result<void> read(const std::function<Result<void>(const StoredPage&)>& use,
                    const std::function<void(const std::string&)>& on_damage) const override {
    const SectionIndex index(view_, section_, filter_);
    PageCursor cursor(view_.view());
    StoredPage page = index.page_of_section();
    UrlHasher hash;
    for (const PlacedPage& placed : pages_) {
      const auto data = cursor.read(placed.place, placed.json_bytes);
      if (!data || hash(data->url) != placed.url) {
        on_damage(index.describe(placed.url, data ? "does not match its entry" : data.error().message));
        continue;
      }
      SHEAF_TRY(use(fill(page, *data)));
    }
    return {};
  }

 private:
  const StoreView& view_;
  const NamedSection& section_;
  const PageFilter& filter_;
  std::vector<PlacedPage> pages_;
};

/// The pages of a section in the order of their places. The index is sorted by hash, so all of it has to be
/// read before the first page is known. Several threads do that.
class SortedPages {
 public:
  static Result<SortedPages> read(const SectionIndex& index, unsigned threads) {
    SortedPages pages;
    for (unsigned i = 0; i < threads; ++i)
      pages.parts_.emplace_back(kSortMemory / threads, std::filesystem::path());
    std::vector<std::future<Result<void>>> reading;
    // If no thread can be started, this one does the work while it waits for the result.
    for (unsigned i = 0; i < threads; ++i)
      reading.push_back(std::async(std::launch::async | std::launch::deferred, [&, i] {
        return collect(index, kFirstBytes * i / threads, kFirstBytes * (i + 1) / threads, pages.parts_[i]);
      }));
    Result<void> collected;
    for (auto& result : reading)
      if (auto one = result.get(); !one) collected = std::move(one);
    SHEAF_TRY(collected);
    for (auto& part : pages.parts_) {
      SHEAF_TRY_ASSIGN(const auto first, part.next());
      pages.next_.push_back(first);
    }
    return pages;
  }

  /// Merges the sorted parts: returns the page with the smallest place; nullopt at the end.
  Result<std::optional<PlacedPage>> next() {
    std::size_t first = 0;
    for (std::size_t i = 1; i < next_.size(); ++i)
      if (next_[i] && (!next_[first] || *next_[i] < *next_[first])) first = i;
    const std::optional<PlacedPage> page = next_[first];
    if (page) {
      SHEAF_TRY_ASSIGN(next_[first], parts_[first].next());
    }
    return page;
  }

 private:
  using Part = base::ExternalSort<PlacedPage>;
  static constexpr unsigned kFirstBytes = 256;

  static Result<void> collect(const SectionIndex& index, unsigned begin, unsigned end, Part& part) {
    const auto add = [&](const UrlKey& url, const PageEntry& entry) -> Result<bool> {
      SHEAF_TRY(part.add({entry.place, url, entry.json_bytes}));
      return true;
    };
    for (unsigned byte = begin; byte < end; ++byte)
      SHEAF_TRY(index.scan_part(static_cast<std::uint8_t>(byte), add));
    return part.sort();
  }

  std::vector<Part> parts_;
  std::vector<std::optional<PlacedPage>> next_;  ///< next page of each part
};

class LocalRanges final : public PageRanges {
 public:
  LocalRanges(const StoreCore& core, PageFilter filter, unsigned threads)
      : view_(core.view()), filter_(std::move(filter)), threads_(threads) {
    if (filter_.on_damage)
      filter_.on_damage = [this, report = std::move(filter_.on_damage)](const std::string& sentence) {
        const std::lock_guard lock(damage_mutex_);
        report(sentence);
      };
  }

  Result<std::unique_ptr<PageRange>> next() override {
    if (!sections_) {
      SHEAF_TRY_ASSIGN(sections_, view_.sections(filter_.site));
    }
    while (true) {
      if (pages_) {
        SHEAF_TRY_ASSIGN(auto pages, take_pages());
        if (!pages.empty())
          return std::make_unique<PlacedRange>(view_, (*sections_)[next_ - 1], filter_, std::move(pages));
        pages_.reset();
      }
      if (next_ == sections_->size()) return nullptr;
      const NamedSection& section = (*sections_)[next_++];
      if (filter_.section.empty() || filter_.section == section.name) SHEAF_TRY(sort_pages(section));
    }
  }

 private:
  Result<void> sort_pages(const NamedSection& section) {
    const unsigned threads = section.record.pages < kManyPages ? 1 : threads_;
    SHEAF_TRY_ASSIGN(pages_, SortedPages::read(SectionIndex(view_, section, filter_), threads));
    return {};
  }

  Result<std::vector<PlacedPage>> take_pages() {
    std::vector<PlacedPage> pages;
    std::uint64_t bytes = 0;
    while (bytes < kRangeBytes) {
      SHEAF_TRY_ASSIGN(const auto page, pages_->next());
      if (!page) break;
      pages.push_back(*page);
      bytes += page->json_bytes;
    }
    return pages;
  }

  StoreView view_;
  PageFilter filter_;
  unsigned threads_;
  std::mutex damage_mutex_;
  std::optional<std::vector<NamedSection>> sections_;
  std::size_t next_ = 0;              ///< index of the next section
  std::optional<SortedPages> pages_;  ///< pages of the section before `next_`
};

}  // namespace

std::unique_ptr<PageRanges> page_ranges(const StoreCore& core, const PageFilter& filter, unsigned threads) {
  return std::make_unique<LocalRanges>(core, filter, std::max(threads, 1U));
}

}  // namespace sheaf::store::local
