#pragma once

#include "sheaf/base/error.h"
#include "sheaf/format/deltas/collection_delta.h"
#include <sheaf/page.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sheaf::format {

enum class DiffOp : std::uint8_t { remove, add };

/// A block that only one of two versions of a page has.
struct BlockEdit {
  DiffOp op = DiffOp::add;
  std::uint32_t position = 0;  ///< index in its version, from 0
  const Block* block = nullptr;
};

/// Returns the fewest blocks to remove and to add to get from one version of a page to the other, in page
/// order. If the versions are very long, the result may not be minimal.
std::vector<BlockEdit> diff_blocks(List<Block> older, List<Block> newer);

enum class PageDiffKind : std::uint8_t { added, removed, changed };

/// One page that differs. Pointers and views are valid until the callback returns.
struct PageDifference {
  PageDiffKind fate = PageDiffKind::changed;
  std::string_view url;
  const Page* older = nullptr;
  const Page* newer = nullptr;
  std::vector<BlockEdit> edits;  ///< of a changed page; empty if only its metadata changed
};

struct PageDiffSummary {
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
  std::uint64_t changed = 0;
  std::uint64_t unchanged = 0;
};

/// Compares two collections page by page and calls `use` for each page that differs, sorted by URL. The
/// collections may be far larger than memory. A page whose `modified` alone differs counts as unchanged.
base::Result<PageDiffSummary> diff_pages(
    const SourceOpener& older, const SourceOpener& newer, const DeltaOptions& options,
    const std::function<base::Result<void>(const PageDifference& difference)>& use);

}  // namespace sheaf::format
