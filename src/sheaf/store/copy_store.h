#pragma once

#include "sheaf/base/error.h"
#include "sheaf/store/page_store.h"

#include <cstdint>
#include <functional>

namespace sheaf::store {

struct CopySummary {
  std::uint64_t sites = 0;
  std::uint64_t sections = 0;
  std::uint64_t pages = 0;
  std::uint64_t bytes = 0;  ///< of their JSON
};

struct CopyOptions {
  std::function<void(std::uint64_t pages, std::uint64_t total)> progress = {};
  std::function<bool()> cancelled = {};
};

/// Copies all sites: pages with their times, the state of each section, and notes, so that a pull continues
/// from there. A section that the target has already is replaced. Each section is committed at once; a copy
/// that was interrupted can be repeated. In the feed of the target, every page is a change. Errors: refused
/// when cancelled, invalid_data if a page cannot be read.
base::Result<CopySummary> copy_store(const PageStore& from, PageStore& to, const CopyOptions& options);

}  // namespace sheaf::store
