#include "sheaf/base/external_sort.h"
#include "sheaf/store/local/page_cursor.h"
#include "sheaf/store/local/page_walk.h"
#include "sheaf/store/local/section_index.h"

#include <algorithm>
#include <future>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace sheaf::store::local {
namespace {

using base::Result;

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
