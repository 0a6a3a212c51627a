#include "sheaf/store/page_ranges.h"

#include <optional>
#include <utility>
#include <vector>

namespace sheaf::store {
namespace {

using base::Result;

class SectionRange final : public PageRange {
 public:
  SectionRange(const PageStore& store, PageFilter filter) : store_(store), filter_(std::move(filter)) {}

  Result<void> read(const std::function<Result<void>(const StoredPage&)>& use,
                    const std::function<void(const std::string&)>& on_damage) const override {
    PageFilter filter = filter_;
    filter.on_damage = on_damage;
    return store_.each_page(filter, [&](const StoredPage& page) -> Result<bool> {
      SHEAF_TRY(use(page));
      return true;
    });
  }

 private:
  const PageStore& store_;
  PageFilter filter_;
};

class SectionRanges final : public PageRanges {
 public:
  SectionRanges(const PageStore& store, PageFilter filter) : store_(store), filter_(std::move(filter)) {}

  Result<std::unique_ptr<PageRange>> next() override {
    if (!sections_) {
      SHEAF_TRY_ASSIGN(sections_, store_.sections(filter_.site));
    }
    while (next_ < sections_->size()) {
      const SectionState& section = (*sections_)[next_++];
      if (!filter_.section.empty() && filter_.section != section.section) continue;
      PageFilter filter = filter_;
      filter.site = section.site;
      filter.section = section.section;
      return std::make_unique<SectionRange>(store_, std::move(filter));
    }
    return nullptr;
  }

 private:
  const PageStore& store_;
  PageFilter filter_;
  std::optional<std::vector<SectionState>> sections_;
  std::size_t next_ = 0;
};

}  // namespace

std::unique_ptr<PageRanges> section_ranges(const PageStore& store, const PageFilter& filter) {
  return std::make_unique<SectionRanges>(store, filter);
}

}  // namespace sheaf::store
