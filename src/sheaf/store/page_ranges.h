#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"

#include <functional>
#include <memory>
#include <string>

namespace sheaf::store {

/// Some pages of a store that are stored next to each other. Any thread may read it, while others read other
/// ranges. It must not outlive its PageRanges.
class PageRange {
 public:
  PageRange() = default;
  virtual ~PageRange() = default;
  PageRange(const PageRange&) = delete;
  PageRange& operator=(const PageRange&) = delete;

  /// Calls `use` with each page. Unreadable pages are skipped after `on_damage` got a sentence about them.
  virtual base::Result<void> read(const std::function<base::Result<void>(const StoredPage&)>& use,
                                  const std::function<void(const std::string&)>& on_damage) const = 0;
};

/// A walk over pages in ranges, for several threads: reading a page is mostly decompression.
class PageRanges {
 public:
  PageRanges() = default;
  virtual ~PageRanges() = default;
  PageRanges(const PageRanges&) = delete;
  PageRanges& operator=(const PageRanges&) = delete;

  /// The next range, in the order of PageStore::each_page; null after the last. One thread at a time.
  virtual base::Result<std::unique_ptr<PageRange>> next() = 0;
};

/// The ranges of a store that has no finer ones: its sections.
std::unique_ptr<PageRanges> section_ranges(const PageStore& store, const PageFilter& filter);

}  // namespace sheaf::store
