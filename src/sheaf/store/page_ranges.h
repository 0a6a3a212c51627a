#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"

#include <functional>
#include <memory>
#include <string>

namespace sheaf::store {

/// Pages that are stored next to each other. Several threads can read different ranges at the same time. A
/// range must not outlive its PageRanges.
class PageRange {
 public:
  PageRange() = default;
  virtual ~PageRange() = default;
  PageRange(const PageRange&) = delete;
  PageRange& operator=(const PageRange&) = delete;

  /// Calls `use` with each page. Skips unreadable pages and describes each to `on_damage` in a sentence.
  virtual base::Result<void> read(const std::function<base::Result<void>(const StoredPage&)>& use,
                                  const std::function<void(const std::string&)>& on_damage) const = 0;
};

/// A walk over pages that is divided into ranges, so that several threads can decompress pages.
class PageRanges {
 public:
  PageRanges() = default;
  virtual ~PageRanges() = default;
  PageRanges(const PageRanges&) = delete;
  PageRanges& operator=(const PageRanges&) = delete;

  /// Returns the next range, in the order of PageStore::each_page(), or null after the last one. Must not run
  /// concurrently with itself.
  virtual base::Result<std::unique_ptr<PageRange>> next() = 0;
};

/// Makes each section one range, for stores that cannot divide sections.
std::unique_ptr<PageRanges> section_ranges(const PageStore& store, const PageFilter& filter);

}  // namespace sheaf::store
