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
  std::uint64_t bytes = 0;  ///< bytes of the pages' JSON
};

struct CopyOptions {
  std::function<void(std::uint64_t pages, std::uint64_t total)> progress = {};
  std::function<bool()> cancelled = {};
};

/// Copies all sites: their pages with times, the state of each section, and the notes. A pull into `to` then
/// continues where `from` was. Sections that `to` already has are replaced. Each section is one commit, so an
/// interrupted copy can be repeated. In the feed of `to`, every page is a change. Fails with Errc::refused if
/// cancelled, or with Errc::invalid_data if a page cannot be read.
base::Result<CopySummary> copy_store(const PageStore& from, PageStore& to, const CopyOptions& options);

}  // namespace sheaf::store
