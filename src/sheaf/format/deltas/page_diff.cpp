#include "sheaf/format/deltas/page_diff.h"

#include "sheaf/base/text_sort.h"
#include "sheaf/format/collections/collection_reader.h"
#include "sheaf/format/deltas/collection_pass.h"
#include "sheaf/format/pages/stored_page_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace sheaf::format {
namespace {

using base::Result;

constexpr std::size_t kDiffSortMemory = std::size_t{32} << 20U;
// Maximum number of cells in the table of CommonBlocks. If two versions need more, all blocks between their
// common start and end are reported as removed and added.
constexpr std::size_t kMaxCells = std::size_t{4} << 20U;

/// Lengths of the longest common subsequence of two lists of blocks, from each pair of positions to the ends.
class CommonBlocks {
 public:
  CommonBlocks(std::span<const Block> older, std::span<const Block> newer) : columns_(newer.size() + 1) {
    lengths_.resize((older.size() + 1) * columns_);
    for (std::size_t i = older.size(); i-- > 0;)
      for (std::size_t j = newer.size(); j-- > 0;)
        at(i, j) = older[i] == newer[j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
  }

  std::uint32_t& at(std::size_t i, std::size_t j) { return lengths_[i * columns_ + j]; }

 private:
  std::size_t columns_;
  std::vector<std::uint32_t> lengths_;
};

/// Reads a collection and sorts its pages by URL.
Result<void> sort_pages(const SourceOpener& input, const DeltaOptions& options, base::TextSort& sort) {
  SHEAF_TRY_ASSIGN(auto source, input());
  const std::string name = source->name();
  auto reader = CollectionReader::open(std::move(source),
                                       {options.limits, Detail::checks, options.threads, HeadRule::required},
                                       options.findings);
  if (!reader) return std::unexpected(to_error(name, reader.error()));
  while (true) {
    const auto more = reader->next();
    if (!more) return std::unexpected(to_error(name, more.error()));
    if (!*more) break;
    SHEAF_TRY(sort.add(reader->page().url, reader->raw()));
  }
  return sort.sort();
}

/// Returns sorted pages, each URL once: the newest page if there are several, as a reader keeps it.
class SortedPages {
 public:
  explicit SortedPages(base::TextSort& sort) : sort_(sort) {}

  Result<const Page*> next() {
    if (!begun_) {
      SHEAF_TRY(advance());
      begun_ = true;
    }
    if (!entry_) return nullptr;
    json_.assign(entry_->text);
    std::string key(entry_->key);
    SHEAF_TRY(advance());
    SHEAF_TRY_ASSIGN(const Page* page, decode());
    while (entry_ && entry_->key == key) {
      std::string kept = json_;
      const Instant modified = page->modified_at;
      json_.assign(entry_->text);
      SHEAF_TRY(advance());
      SHEAF_TRY_ASSIGN(page, decode());
      if (page->modified_at >= modified) continue;
      json_ = std::move(kept);
      SHEAF_TRY_ASSIGN(page, decode());
    }
    return page;
  }

 private:
  Result<void> advance() {
    SHEAF_TRY_ASSIGN(entry_, sort_.next());
    return {};
  }

  Result<const Page*> decode() {
    const auto page = decoder_(json_);
    if (!page) return base::fail(base::Errc::invalid_data, page.error());
    return *page;
  }

  base::TextSort& sort_;
  bool begun_ = false;
  std::optional<base::TextSort::Entry> entry_;
  std::string json_;
  StoredPageDecoder decoder_{Detail::everything};
};

bool same_metadata(const Page& a, const Page& b) {
  return a.title == b.title && a.description == b.description && a.author == b.author &&
         a.published == b.published && a.language == b.language && a.canonical == b.canonical &&
         a.schema == b.schema && a.robots == b.robots && a.extra == b.extra;
}

}  // namespace

std::vector<BlockEdit> diff_blocks(List<Block> older, List<Block> newer) {
  std::size_t before = 0;
  while (before < older.size() && before < newer.size() && older[before] == newer[before]) ++before;
  std::size_t after = 0;
  while (after < older.size() - before && after < newer.size() - before &&
         older[older.size() - 1 - after] == newer[newer.size() - 1 - after])
    ++after;
  const std::span<const Block> old_part = older.subspan(before, older.size() - before - after);
  const std::span<const Block> new_part = newer.subspan(before, newer.size() - before - after);
  std::vector<BlockEdit> edits;
  const auto remove = [&](std::size_t i) {
    edits.push_back({DiffOp::remove, static_cast<std::uint32_t>(before + i), &old_part[i]});
  };
  const auto add = [&](std::size_t j) {
    edits.push_back({DiffOp::add, static_cast<std::uint32_t>(before + j), &new_part[j]});
  };
  std::size_t i = 0;
  std::size_t j = 0;
  if ((old_part.size() + 1) * (new_part.size() + 1) <= kMaxCells) {
    CommonBlocks common(old_part, new_part);
    while (i < old_part.size() && j < new_part.size()) {
      if (old_part[i] == new_part[j]) {
        ++i, ++j;
      } else if (common.at(i + 1, j) >= common.at(i, j + 1)) {
        remove(i++);
      } else {
        add(j++);
      }
    }
  }
  while (i < old_part.size()) remove(i++);
  while (j < new_part.size()) add(j++);
  return edits;
}

Result<PageDiffSummary> diff_pages(const SourceOpener& older, const SourceOpener& newer,
                                   const DeltaOptions& options,
                                   const std::function<Result<void>(const PageDifference& difference)>& use) {
  base::TextSort old_sort(kDiffSortMemory, options.temporary_folder);
  base::TextSort new_sort(kDiffSortMemory, options.temporary_folder);
  SHEAF_TRY(sort_pages(older, options, old_sort));
  SHEAF_TRY(sort_pages(newer, options, new_sort));
  SortedPages old_pages(old_sort);
  SortedPages new_pages(new_sort);
  PageDiffSummary summary;
  SHEAF_TRY_ASSIGN(const Page* old_page, old_pages.next());
  SHEAF_TRY_ASSIGN(const Page* new_page, new_pages.next());
  while (old_page != nullptr || new_page != nullptr) {
    const bool only_old = new_page == nullptr || (old_page != nullptr && old_page->url < new_page->url);
    const bool only_new = old_page == nullptr || (new_page != nullptr && new_page->url < old_page->url);
    if (only_old) {
      ++summary.removed;
      SHEAF_TRY(use({PageDiffKind::removed, old_page->url, old_page, nullptr, {}}));
    } else if (only_new) {
      ++summary.added;
      SHEAF_TRY(use({PageDiffKind::added, new_page->url, nullptr, new_page, {}}));
    } else {
      std::vector<BlockEdit> edits = diff_blocks(old_page->content, new_page->content);
      const bool same = edits.empty() && same_metadata(*old_page, *new_page);
      ++(same ? summary.unchanged : summary.changed);
      if (!same) SHEAF_TRY(use({PageDiffKind::changed, new_page->url, old_page, new_page, std::move(edits)}));
    }
    if (!only_new) {
      SHEAF_TRY_ASSIGN(old_page, old_pages.next());
    }
    if (!only_old) {
      SHEAF_TRY_ASSIGN(new_page, new_pages.next());
    }
  }
  return summary;
}

}  // namespace sheaf::format
