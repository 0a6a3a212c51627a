#include "sheaf/base/external_sort.h"
#include "sheaf/store/local/page_cursor.h"
#include "sheaf/store/local/page_walk.h"
#include "sheaf/store/local/section_index.h"

#include <optional>
#include <utility>
#include <vector>

namespace sheaf::store::local {
namespace {

using base::Result;

/// A range is some blocks of the data table, so that few blocks are read by two threads, and some
/// milliseconds of work.
constexpr std::uint64_t kRangeBytes = 2 * format::kMiB;

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
        on_damage(index.describe(placed.url, data ? "is not what its entry says" : data.error().message));
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

class LocalRanges final : public PageRanges {
 public:
  LocalRanges(const StoreCore& core, PageFilter filter) : view_(core.view()), filter_(std::move(filter)) {}

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
    pages_.emplace(kSortMemory, std::filesystem::path());
    const auto collect = [this](const UrlKey& url, const PageEntry& entry) -> Result<bool> {
      SHEAF_TRY(pages_->add({entry.place, url, entry.json_bytes}));
      return true;
    };
    SHEAF_TRY(SectionIndex(view_, section, filter_).scan(collect));
    return pages_->sort();
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
  std::optional<std::vector<NamedSection>> sections_;
  std::size_t next_ = 0;                                 ///< section
  std::optional<base::ExternalSort<PlacedPage>> pages_;  ///< of the section before it
};

}  // namespace

std::unique_ptr<PageRanges> page_ranges(const StoreCore& core, const PageFilter& filter) {
  return std::make_unique<LocalRanges>(core, filter);
}

}  // namespace sheaf::store::local
